// The calls that have the same parameters in the drivers of CUDA and HIP, in one table with both names. The functions
// of Driver that are the same for both APIs are here, too.
//
// The declarations were checked against cuda.h of CUDA 13.0 and the headers of HIP 5.2 and 6.2. Handles are pointers.
// CUdevice, enumerations and results are ints. size_t and CUdeviceptr have 64 bits; a CUdeviceptr is passed as a
// pointer.
//
// Thread-safety: see Driver.h.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_DRIVERCALLS_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_DRIVERCALLS_H

#include "executors/gpu/Driver.h"

#include <string.h>

/// X(our name, CUDA's, HIP's, parameters)
#define CILK2GPU_DRIVER_CALLS(X)                                                                                       \
  X(initialise, cuInit, hipInit, (unsigned flags))                                                                     \
  X(version, cuDriverGetVersion, hipRuntimeGetVersion, (int *version))                                                 \
  X(countDevices, cuDeviceGetCount, hipGetDeviceCount, (int *count))                                                   \
  X(name, cuDeviceGetName, hipDeviceGetName, (char *name, int bytes, int device))                                      \
  X(attribute, cuDeviceGetAttribute, hipDeviceGetAttribute, (int *value, int attribute, int device))                   \
  X(queryStream, cuStreamQuery, hipStreamQuery, (void *stream))                                                        \
  X(synchronise, cuCtxSynchronize, hipDeviceSynchronize, ())                                                           \
  X(function, cuModuleGetFunction, hipModuleGetFunction, (void **function, void *module, const char *name))            \
  X(global, cuModuleGetGlobal_v2, hipModuleGetGlobal, (void **address, size_t *bytes, void *module, const char *name)) \
  X(launch, cuLaunchKernel, hipModuleLaunchKernel,                                                                     \
    (void *function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,                 \
     unsigned blockZ, unsigned shared, void *stream, void **parameters, void **extra))                                 \
  X(occupancy, cuOccupancyMaxActiveBlocksPerMultiprocessor, hipModuleOccupancyMaxActiveBlocksPerMultiprocessor,        \
    (int *blocks, void *function, int threads, size_t shared))                                                         \
  X(memoryInfo, cuMemGetInfo_v2, hipMemGetInfo, (size_t *free, size_t *total))                                         \
  X(allocateManaged, cuMemAllocManaged, hipMallocManaged, (void **memory, size_t bytes, unsigned flags))               \
  X(allocateDevice, cuMemAlloc_v2, hipMalloc, (void **memory, size_t bytes))                                           \
  X(allocateHost, cuMemHostAlloc, hipHostMalloc, (void **memory, size_t bytes, unsigned flags))                        \
  X(release, cuMemFree_v2, hipFree, (void *memory))                                                                    \
  X(copyToDevice, cuMemcpyHtoD_v2, hipMemcpyHtoD, (void *to, const void *from, size_t bytes))                          \
  X(copyFromDevice, cuMemcpyDtoH_v2, hipMemcpyDtoH, (void *to, const void *from, size_t bytes))                        \
  X(copyToDeviceLater, cuMemcpyHtoDAsync_v2, hipMemcpyHtoDAsync,                                                       \
    (void *to, const void *from, size_t bytes, void *stream))                                                          \
  X(copyFromDeviceLater, cuMemcpyDtoHAsync_v2, hipMemcpyDtoHAsync,                                                     \
    (void *to, const void *from, size_t bytes, void *stream))                                                          \
  X(copyOnDevice, cuMemcpyDtoD_v2, hipMemcpyDtoD, (void *to, const void *from, size_t bytes))                          \
  X(registerHost, cuMemHostRegister_v2, hipHostRegister, (void *address, size_t bytes, unsigned flags))                \
  X(hostPointer, cuMemHostGetDevicePointer_v2, hipHostGetDevicePointer, (void **address, void *host, unsigned flags))  \
  X(unregisterHost, cuMemHostUnregister, hipHostUnregister, (void *address))

namespace cilk2gpu::device {

/// An entry point of a driver's library. A call of it returns a Status.
template <class Function> struct DriverEntry;
template <class... Parameters> struct DriverEntry<int(Parameters...)> {
  const char *symbol = nullptr;
  int (*function)(Parameters...) = nullptr;

  bool find(void *library, const char *name) {
    symbol = name;
    return function = reinterpret_cast<int (*)(Parameters...)>(findSymbol(library, name));
  }
  /// CUDA declares device addresses as integers, HIP as pointers. Both are passed in the same way, so the table has one
  /// type for them.
  [[clang::no_sanitize("function")]] Status operator()(Parameters... arguments) const {
    return {symbol, function(arguments...)};
  }
};

/// For tables X(symbol, parameters): declares an entry as a field; CILK2GPU_DRIVER_FIND finds it by its own name.
#define CILK2GPU_DRIVER_FIELD(symbol, parameters) DriverEntry<int parameters> symbol;
#define CILK2GPU_DRIVER_FIND(symbol, parameters)                                                                       \
  if (!own.symbol.find(library, #symbol))                                                                              \
    return #symbol;

/// Calls of one API, and facts about the device that was opened.
struct DriverCalls {
#define CILK2GPU_FIELD(name, cuda, hip, parameters) DriverEntry<int parameters> name;
  CILK2GPU_DRIVER_CALLS(CILK2GPU_FIELD)
#undef CILK2GPU_FIELD
  /// Calls that some versions lack.
  DriverEntry<int(void *function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,
                  unsigned blockZ, unsigned shared, void *stream, void **parameters)>
      launchTogether;
  int multiprocessors = 0;
  bool launchesTogether = false;

  /// Finds all calls. Returns the name of the first missing call, or null.
  const char *find(void *library, bool isCuda) {
#define CILK2GPU_FIND(name, cuda, hip, parameters)                                                                     \
  if (!name.find(library, isCuda ? #cuda : #hip))                                                                      \
    return name.symbol;
    CILK2GPU_DRIVER_CALLS(CILK2GPU_FIND)
#undef CILK2GPU_FIND
    launchTogether.find(library, isCuda ? "cuLaunchCooperativeKernel" : "hipModuleLaunchCooperativeKernel");
    return nullptr;
  }
};

/// The entries of a Driver's table that are the same for both APIs. A class of an API derives from it (makeDriver).
template <DriverCalls &api> struct CommonDriver {
  // Codes and flags that are the same in both APIs.
  static constexpr int kUnsupportedLimit = 215, kNotFound = 500, kNotReady = 600, kAlreadyRegistered = 712;
  static constexpr unsigned kAttachGlobal = 1, kPortable = 1, kMapped = 2;
  static constexpr int kLimitStackSize = 0;

  static Status initialise() { return api.initialise(0); }
  static Status version(int &version) { return api.version(&version); }
  static Status countDevices(int &count) { return api.countDevices(&count); }

  /// Reads the attributes of the device that launches need. The parameters are the numbers of these attributes.
  static Status readGrid(int device, int multiprocessors, int cooperativeLaunch) {
    int together = 0;
    CILK2GPU_TRY(api.attribute(&api.multiprocessors, multiprocessors, device));
    Status status = api.attribute(&together, cooperativeLaunch, device);
    api.launchesTogether = together && api.launchTogether.function;
    return status;
  }

  static Status memoryInfo(uint64_t &free, uint64_t &total) {
    size_t freeBytes = 0, totalBytes = 0;
    Status status = api.memoryInfo(&freeBytes, &totalBytes);
    free = freeBytes;
    total = totalBytes;
    return status;
  }

  static Status findFunction(void *module, const char *symbol, void *&function) {
    return nullIfNone(api.function(&function, module, symbol), function);
  }
  static Status findGlobal(void *module, const char *symbol, void *&address, uint64_t &bytes) {
    size_t size = 0;
    Status status = nullIfNone(api.global(&address, &size, module, symbol), address);
    bytes = size;
    return status;
  }

  static Status launch(void *function, uint32_t blocks, uint32_t threads, void *parameter) {
    void *parameters[] = {&parameter};
    return api.launch(function, blocks, 1, 1, threads, 1, 1, 0, nullptr, parameters, nullptr);
  }
  static Status occupancy(void *function, uint32_t threads, uint32_t &blocks) {
    int each = 0;
    Status status = api.occupancy(&each, function, int(threads), 0);
    blocks = uint32_t(each) * uint32_t(api.multiprocessors);
    return status;
  }
  static Status launchTogether(void *function, uint32_t blocks, uint32_t threads, void *parameter) {
    if (!api.launchesTogether)
      return launch(function, blocks, threads, parameter);
    void *parameters[] = {&parameter};
    return api.launchTogether(function, blocks, 1, 1, threads, 1, 1, 0, nullptr, parameters);
  }

  static Status synchronise() { return api.synchronise(); }
  static Status poll(bool &ended) {
    Status status = api.queryStream(nullptr);
    ended = status.code != kNotReady;
    return {status.call, ended ? status.code : 0};
  }

  static Status allocate(uint64_t bytes, void *&memory) { return api.allocateManaged(&memory, bytes, kAttachGlobal); }
  static Status allocateDevice(uint64_t bytes, void *&memory) { return api.allocateDevice(&memory, bytes); }
  static Status release(void *memory) { return api.release(memory); }
  static Status copyToDevice(void *to, const void *from, uint64_t bytes) {
    return eachPiece(bytes, [&](uint64_t done, uint64_t size) {
      memcpy(pieces, static_cast<const char *>(from) + done, size);
      return api.copyToDevice(static_cast<char *>(to) + done, pieces, size);
    });
  }
  static Status copyFromDevice(void *to, const void *from, uint64_t bytes) {
    return eachPiece(bytes, [&](uint64_t done, uint64_t size) {
      Status status = api.copyFromDevice(pieces, static_cast<const char *>(from) + done, size);
      if (!status.code)
        memcpy(static_cast<char *>(to) + done, pieces, size);
      return status;
    });
  }
  static Status copyToDeviceLater(void *to, const void *from, uint64_t bytes) {
    return api.copyToDeviceLater(to, from, bytes, nullptr);
  }
  static Status copyFromDeviceLater(void *to, const void *from, uint64_t bytes) {
    return api.copyFromDeviceLater(to, from, bytes, nullptr);
  }
  static Status copyMemory(void *&memory) {
    Status status = {api.allocateHost.symbol, 0};
    if (!pieces)
      status = api.allocateHost(&pieces, kCopyBytes, kPortable);
    memory = pieces;
    return status;
  }
  static bool isCopyMemory(const void *address) {
    auto *start = static_cast<const char *>(pieces);
    return pieces && start <= address && address < start + kCopyBytes;
  }
  static Status copyOnDevice(void *to, const void *from, uint64_t bytes) { return api.copyOnDevice(to, from, bytes); }

  /// As Driver::registerHost, with more flags.
  static Status registerWith(unsigned flags, const HostRange &range, void *&seenAt, bool &already) {
    Status status = api.registerHost(range.address, range.bytes, kPortable | kMapped | flags);
    already = status.code == kAlreadyRegistered;
    if (status.code && !already)
      return status;
    Status seen = api.hostPointer(&seenAt, range.address, 0);
    if (seen.code && !already)
      api.unregisterHost(range.address);
    return seen;
  }
  static Status unregisterHost(void *address) { return api.unregisterHost(address); }

private:
  /// Memory of the host that all copies go through. A driver refuses to copy from a range that is registered in part,
  /// and the program's memory that is registered during a run ends at any address.
  static inline void *pieces = nullptr;

  /// Calls copy(offset, bytes) for each piece of a copy, until a piece fails.
  template <typename Copy> static Status eachPiece(uint64_t bytes, Copy copy) {
    void *memory = nullptr;
    Status status = copyMemory(memory);
    for (uint64_t done = 0; done < bytes && !status.code; done += kCopyBytes)
      status = copy(done, bytes - done < kCopyBytes ? bytes - done : kCopyBytes);
    return status;
  }
  static Status nullIfNone(Status status, void *&found) {
    if (status.code)
      found = nullptr;
    return {status.call, status.code == kNotFound ? 0 : status.code};
  }
};

/// Makes the table of an API, whose entries are static members of the class `Api`. The tables are constants: an entry
/// that is left out does not compile.
template <class Api> constexpr Driver makeDriver() {
  Driver driver;
  driver.name = Api::kName;
  driver.product = Api::kProduct;
  driver.images = Api::kImages;
  driver.variable = Api::kVariable;
  driver.libraries = Api::kLibraries;
  driver.blocking = Api::kBlocking;
  driver.bind = Api::bind;
  driver.describe = Api::describe;
  driver.initialise = Api::initialise;
  driver.version = Api::version;
  driver.countDevices = Api::countDevices;
  driver.facts = Api::readFacts;
  driver.open = Api::open;
  driver.makeCurrent = Api::makeCurrent;
  driver.setStack = Api::setStack;
  driver.memoryInfo = Api::memoryInfo;
  driver.loadModule = Api::loadModule;
  driver.findFunction = Api::findFunction;
  driver.findGlobal = Api::findGlobal;
  driver.launch = Api::launch;
  driver.launchGraph = Api::launchGraph;
  driver.occupancy = Api::occupancy;
  driver.launchTogether = Api::launchTogether;
  driver.synchronise = Api::synchronise;
  driver.poll = Api::poll;
  driver.allocate = Api::allocate;
  driver.prefetch = Api::prefetch;
  driver.allocateDevice = Api::allocateDevice;
  driver.release = Api::release;
  driver.allocateShared = Api::allocateShared;
  driver.copyToDevice = Api::copyToDevice;
  driver.copyFromDevice = Api::copyFromDevice;
  driver.copyToDeviceLater = Api::copyToDeviceLater;
  driver.copyFromDeviceLater = Api::copyFromDeviceLater;
  driver.copyMemory = Api::copyMemory;
  driver.isCopyMemory = Api::isCopyMemory;
  driver.copyOnDevice = Api::copyOnDevice;
  driver.registersReadOnly = Api::registersReadOnly;
  driver.registerHost = Api::registerHost;
  driver.unregisterHost = Api::unregisterHost;
  return driver;
}

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_EXECUTORS_GPU_DRIVERCALLS_H
