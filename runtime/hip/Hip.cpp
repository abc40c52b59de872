// The interface of the host's side to HIP. This file has every call of the HIP runtime that the program makes. It is a
// part of programs written by --emit=hip, which link HIP. Other programs load HIP when they run
// (runtime/executors/gpu/HipDriver.cpp).
//
// Each function returns the name of the call that it made and its code. Driver::failed() makes a line of text of them.
#include "executors/gpu/Driver.h"

#include <hip/hip_runtime_api.h>
#include <stdio.h>

namespace cilk2gpu::device {
namespace {

int opened = 0; ///< number of the open device
int multiprocessors = 0;
int launchesTogether = 0; ///< not 0 if the device has cooperative launches

/// Calls HIP, and returns the name of the call with its code.
#define HIP(call, ...) (Status{#call, int(call(__VA_ARGS__))})

/// Continues if the call succeeded, else returns its status.
#define TRY(...)                                                                                                       \
  if (Status status = (__VA_ARGS__); status.code)                                                                      \
  return status

void describe(int code, const char *&name, const char *&meaning) {
  const char *text = hipGetErrorName(hipError_t(code));
  name = text ? text : name;
  text = hipGetErrorString(hipError_t(code));
  meaning = text ? text : meaning;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Devices
//===--------------------------------------------------------------------------------------------------------------===//

Status initialise() { return HIP(hipInit, 0); }
Status version(int &version) { return HIP(hipRuntimeGetVersion, &version); }
Status countDevices(int &count) { return HIP(hipGetDeviceCount, &count); }

Status readFacts(int device, DeviceFacts &facts) {
  hipDeviceProp_t properties;
  int wave = 0, managed = 0, pageable = 0;
  TRY(HIP(hipDeviceGetName, facts.name, sizeof facts.name, device));
  TRY(HIP(hipGetDeviceProperties, &properties, device));
  TRY(HIP(hipDeviceGetAttribute, &wave, hipDeviceAttributeWarpSize, device));
  TRY(HIP(hipDeviceGetAttribute, &managed, hipDeviceAttributeManagedMemory, device));
  TRY(HIP(hipDeviceGetAttribute, &pageable, hipDeviceAttributePageableMemoryAccess, device));
  snprintf(facts.arch, sizeof facts.arch, "%.*s", int(sizeof facts.arch - 1), properties.gcnArchName);
  facts.waveSize = uint32_t(wave);
  facts.managed = managed != 0;
  facts.pageable = pageable != 0;
  facts.concurrent = true;  // managed memory with pages that cannot move is on the host
  facts.sameAddress = true; // each range is checked when it is registered
  return {"hipDeviceGetAttribute", 0};
}

Status makeCurrent() { return HIP(hipSetDevice, opened); }

Status open(int ordinal) {
  opened = ordinal;
  TRY(HIP(hipDeviceGetAttribute, &multiprocessors, hipDeviceAttributeMultiprocessorCount, opened));
  TRY(HIP(hipDeviceGetAttribute, &launchesTogether, hipDeviceAttributeCooperativeLaunch, opened));
  return makeCurrent();
}

Status setStack(uint64_t bytes, bool &unsupported) {
#if HIP_VERSION >= 50300000
  Status status = HIP(hipDeviceSetLimit, hipLimitStackSize, bytes);
#else
  (void)bytes;
  Status status = {"hipDeviceSetLimit", int(hipErrorNotSupported)};
#endif
  unsupported = status.code == hipErrorUnsupportedLimit || status.code == hipErrorNotSupported ||
                status.code == hipErrorInvalidValue;
  return status;
}

Status memoryInfo(uint64_t &free, uint64_t &total) {
  size_t freeBytes = 0, totalBytes = 0;
  Status status = HIP(hipMemGetInfo, &freeBytes, &totalBytes);
  free = freeBytes;
  total = totalBytes;
  return status;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Kernels
//===--------------------------------------------------------------------------------------------------------------===//

Status loadModule(const abi::ImageRecord &image, uint32_t, void *&module, char *log, uint64_t) {
  *log = 0;
  hipModule_t loaded = nullptr;
  Status status = HIP(hipModuleLoadData, &loaded, image.data);
  module = loaded;
  return status;
}

/// Turns the error for a missing name into success, because another image may have the name.
Status unlessMissing(Status status) { return {status.call, status.code == hipErrorNotFound ? 0 : status.code}; }

Status findFunction(void *module, const char *symbol, void *&function) {
  hipFunction_t found = nullptr;
  Status status = HIP(hipModuleGetFunction, &found, static_cast<hipModule_t>(module), symbol);
  function = status.code ? nullptr : found;
  return unlessMissing(status);
}

Status findGlobal(void *module, const char *symbol, void *&address, uint64_t &bytes) {
  hipDeviceptr_t found = nullptr;
  size_t size = 0;
  Status status = HIP(hipModuleGetGlobal, &found, &size, static_cast<hipModule_t>(module), symbol);
  address = status.code ? nullptr : found;
  bytes = size;
  return unlessMissing(status);
}

/// Launches a kernel. Its argument is the address, on the device, of the dispatch's wave (abi::Wave).
Status launch(void *function, uint32_t blocks, uint32_t threads, void *wave) {
  void *arguments[] = {&wave};
  return HIP(hipModuleLaunchKernel, static_cast<hipFunction_t>(function), blocks, 1, 1, threads, 1, 1, 0, nullptr,
             arguments, nullptr);
}

/// Sets `blocks` to the number of blocks of a persistent kernel that all compute units together can run at one time.
Status occupancy(void *function, uint32_t threads, uint32_t &blocks) {
  int each = 0;
  Status status = HIP(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor, &each, static_cast<hipFunction_t>(function),
                      int(threads), 0);
  blocks = uint32_t(each) * uint32_t(multiprocessors);
  return status;
}

/// Launches a persistent kernel; its argument is its record (device/PersistentRecord.h). Fails if not all blocks can be
/// resident. Without cooperative launches, it is an ordinary launch. That is correct, too, because no wavefront waits
/// for a block that has not arrived.
Status launchTogether(void *function, uint32_t blocks, uint32_t threads, void *record) {
#if HIP_VERSION >= 60000000
  if (launchesTogether) {
    void *arguments[] = {&record};
    return HIP(hipModuleLaunchCooperativeKernel, static_cast<hipFunction_t>(function), blocks, 1, 1, threads, 1, 1, 0,
               nullptr, arguments);
  }
#endif
  return launch(function, blocks, threads, record);
}

Status synchronise() { return HIP(hipDeviceSynchronize); }

Status poll(bool &ended) {
  Status status = HIP(hipStreamQuery, nullptr);
  ended = status.code != hipErrorNotReady;
  return {status.call, ended ? status.code : 0};
}

//===--------------------------------------------------------------------------------------------------------------===//
// Memory
//===--------------------------------------------------------------------------------------------------------------===//

/// Allocates memory for elements and frames, which has one address on both sides.
Status allocate(uint64_t bytes, void *&memory) { return HIP(hipMallocManaged, &memory, bytes, hipMemAttachGlobal); }

/// Allocates memory of the device alone, for records of launches.
Status allocateDevice(uint64_t bytes, void *&memory) { return HIP(hipMalloc, &memory, bytes); }
Status release(void *memory) { return HIP(hipFree, memory); }

/// Allocates coherent memory for the request queue. Each side sees the other's writes while a kernel runs.
Status allocateShared(uint64_t bytes, void *&memory) {
  return HIP(hipHostMalloc, &memory, bytes, hipHostMallocPortable | hipHostMallocMapped | hipHostMallocCoherent);
}

Status copyToDevice(void *to, const void *from, uint64_t bytes) {
  return HIP(hipMemcpyHtoD, to, const_cast<void *>(from), bytes);
}
Status copyFromDevice(void *to, const void *from, uint64_t bytes) {
  return HIP(hipMemcpyDtoH, to, const_cast<void *>(from), bytes);
}
void *copies = nullptr; ///< memory of the host that copies go through

Status copyMemory(void *&memory) {
  Status status = {"hipHostMalloc", 0};
  if (!copies)
    status = HIP(hipHostMalloc, &copies, kCopyBytes, hipHostMallocPortable);
  memory = copies;
  return status;
}
bool isCopyMemory(const void *address) {
  auto *start = static_cast<const char *>(copies);
  return copies && start <= address && address < start + kCopyBytes;
}

Status copyToDeviceLater(void *to, const void *from, uint64_t bytes) {
  return HIP(hipMemcpyHtoDAsync, to, const_cast<void *>(from), bytes, nullptr);
}
Status copyFromDeviceLater(void *to, const void *from, uint64_t bytes) {
  return HIP(hipMemcpyDtoHAsync, to, const_cast<void *>(from), bytes, nullptr);
}
Status copyOnDevice(void *to, const void *from, uint64_t bytes) {
  return HIP(hipMemcpyDtoD, to, const_cast<void *>(from), bytes);
}

/// Registers memory of the program that the device cannot reach yet.
Status registerHost(const HostRange &range, void *&seenAt, bool &already) {
  Status status = HIP(hipHostRegister, range.address, range.bytes, hipHostRegisterPortable | hipHostRegisterMapped);
  already = status.code == hipErrorHostMemoryAlreadyRegistered;
  if (status.code && !already)
    return status;
  Status seen = HIP(hipHostGetDevicePointer, &seenAt, range.address, 0);
  if (seen.code && !already)
    (void)hipHostUnregister(range.address);
  return seen;
}

Status unregisterHost(void *address) { return HIP(hipHostUnregister, address); }

/// Returns false: read-only memory cannot be registered.
bool registersReadOnly() { return false; }

/// Environment variables that make a launch return only when its kernel has ended, if one of the given bits is set.
constexpr BlockingVariable blocking[] = {{"HIP_LAUNCH_BLOCKING", ~0l}, {"AMD_SERIALIZE_KERNEL", 2}, {}};

constexpr Driver driver = {
    .name = "hip",
    .product = "AMD's ROCm",
    .images = abi::ImageKind::Amdgcn,
    .variable = nullptr,
    .libraries = nullptr,
    .blocking = blocking,
    .bind = nullptr,
    .describe = describe,
    .initialise = initialise,
    .version = version,
    .countDevices = countDevices,
    .facts = readFacts,
    .open = open,
    .makeCurrent = makeCurrent,
    .setStack = setStack,
    .memoryInfo = memoryInfo,
    .loadModule = loadModule,
    .findFunction = findFunction,
    .findGlobal = findGlobal,
    .launch = launch,
    .occupancy = occupancy,
    .launchTogether = launchTogether,
    .synchronise = synchronise,
    .poll = poll,
    .allocate = allocate,
    .allocateDevice = allocateDevice,
    .release = release,
    .allocateShared = allocateShared,
    .copyToDevice = copyToDevice,
    .copyFromDevice = copyFromDevice,
    .copyMemory = copyMemory,
    .isCopyMemory = isCopyMemory,
    .copyToDeviceLater = copyToDeviceLater,
    .copyFromDeviceLater = copyFromDeviceLater,
    .copyOnDevice = copyOnDevice,
    .registersReadOnly = registersReadOnly,
    .registerHost = registerHost,
    .unregisterHost = unregisterHost,
};

} // namespace

const Driver &hipDriver() { return driver; }

/// Returns true: the program is linked with HIP.
bool Driver::load(const char *, Reason &) const { return true; }

} // namespace cilk2gpu::device
