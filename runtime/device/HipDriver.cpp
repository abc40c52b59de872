// The HIP runtime's API, as far as the runtime needs it: declared here, checked against the headers of HIP 5.2 and 6.2.
// Handles are pointers, hipError_t and enumerations are ints.
#include "device/Driver.h"

#include <string.h>

namespace cilk2gpu::device {
namespace {

constexpr int kUnsupportedLimit = 215, kNotFound = 500, kNotReady = 600, kAlreadyRegistered = 712, kNotSupported = 801,
              kInvalidValue = 1;                                               // hipError_t
constexpr int kCooperativeLaunch = 10, kManagedMemory = 24, kMultiprocessors = 63, kPageableMemoryAccess = 65,
              kWarpSize = 87; // hipDeviceAttribute_t
constexpr unsigned kAttachGlobal = 1, kRegisterPortable = 1, kRegisterMapped = 2, kHostCoherent = 0x40000000;
constexpr int kLimitStackSize = 0;

#define CILK2GPU_HIP(CALL)                                                                                             \
  CALL(hipInit, (unsigned flags))                                                                                      \
  CALL(hipRuntimeGetVersion, (int *version))                                                                           \
  CALL(hipGetDeviceCount, (int *count))                                                                                \
  CALL(hipDeviceGetName, (char *name, int bytes, int device))                                                          \
  CALL(hipDeviceGetAttribute, (int *value, int attribute, int device))                                                 \
  CALL(hipSetDevice, (int device))                                                                                     \
  CALL(hipStreamQuery, (void *stream))                                                                                 \
  CALL(hipDeviceSynchronize, ())                                                                                       \
  CALL(hipModuleLoadData, (void **module, const void *data))                                                           \
  CALL(hipModuleGetFunction, (void **function, void *module, const char *name))                                        \
  CALL(hipModuleGetGlobal, (void **address, size_t *bytes, void *module, const char *name))                            \
  CALL(hipModuleLaunchKernel,                                                                                          \
       (void *function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,              \
        unsigned blockZ, unsigned shared, void *stream, void **parameters, void **extra))                              \
  CALL(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor, (int *blocks, void *function, int threads, size_t shared))  \
  CALL(hipMemGetInfo, (size_t *free, size_t *total))                                                                   \
  CALL(hipMallocManaged, (void **address, size_t bytes, unsigned flags))                                               \
  CALL(hipMalloc, (void **address, size_t bytes))                                                                      \
  CALL(hipHostMalloc, (void **memory, size_t bytes, unsigned flags))                                                   \
  CALL(hipFree, (void *address))                                                                                       \
  CALL(hipMemcpyHtoD, (void *to, const void *from, size_t bytes))                                                      \
  CALL(hipMemcpyDtoH, (void *to, const void *from, size_t bytes))                                                      \
  CALL(hipMemcpyDtoD, (void *to, const void *from, size_t bytes))                                                      \
  CALL(hipHostRegister, (void *address, size_t bytes, unsigned flags))                                                 \
  CALL(hipHostGetDevicePointer, (void **address, void *host, unsigned flags))                                          \
  CALL(hipHostUnregister, (void *address))

struct {
  CILK2GPU_HIP(CILK2GPU_DRIVER_FIELD)
  // What not all versions have, or what does not return an error.
  int (*getProperties)(void *properties, int device);
  int (*setLimit)(int limit, size_t value);
  int (*launchTogether)(void *function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                        unsigned blockY, unsigned blockZ, unsigned shared, void *stream, void **parameters);
  const char *(*errorName)(int code);
  const char *(*errorText)(int code);
} api;

/// HIP 6 changed hipDeviceProp_t, and renamed the function that fills it. Only one field is of interest.
struct PropertiesLayout {
  const char *function;
  uint64_t archOffset; ///< of gcnArchName
};
constexpr PropertiesLayout layouts[] = {{"hipGetDevicePropertiesR0600", 1160}, {"hipGetDeviceProperties", 396}};
constexpr uint64_t kPropertiesBytes = 8192; ///< more than any version's
PropertiesLayout layout;

int opened = 0; ///< device
int multiprocessors = 0;
bool launchesTogether = false;

#define CALL CILK2GPU_DRIVER_CALL

/// Goes on if the call did what it should, else returns its status.
#define TRY(...)                                                                                                       \
  if (Status status = (__VA_ARGS__); status.code)                                                                      \
  return status

template <typename T> void find(void *library, const char *symbol, T &entry) {
  entry = reinterpret_cast<T>(findSymbol(library, symbol));
}

const char *bind(void *library) {
  CILK2GPU_HIP(CILK2GPU_DRIVER_BIND)
  find(library, "hipDeviceSetLimit", api.setLimit);
  find(library, "hipModuleLaunchCooperativeKernel", api.launchTogether);
  find(library, "hipGetErrorName", api.errorName);
  find(library, "hipGetErrorString", api.errorText);
  for (const PropertiesLayout &candidate : layouts) {
    layout = candidate;
    find(library, layout.function, api.getProperties);
    if (api.getProperties)
      return nullptr;
  }
  return layout.function;
}

void describe(int code, const char *&name, const char *&meaning) {
  const char *text = api.errorName ? api.errorName(code) : nullptr;
  name = text ? text : name;
  text = api.errorText ? api.errorText(code) : nullptr;
  meaning = text ? text : meaning;
}

Status initialise() { return CALL(hipInit, 0); }
Status version(int &version) { return CALL(hipRuntimeGetVersion, &version); }
Status countDevices(int &count) { return CALL(hipGetDeviceCount, &count); }

Status readArch(int device, DeviceFacts &facts) {
  alignas(16) static char properties[kPropertiesBytes];
  memset(properties, 0, sizeof properties);
  Status status = {layout.function, api.getProperties(properties, device)};
  memcpy(facts.arch, properties + layout.archOffset, sizeof facts.arch - 1);
  facts.arch[sizeof facts.arch - 1] = 0;
  return status;
}

Status readFacts(int device, DeviceFacts &facts) {
  int wave = 0, managed = 0, pageable = 0;
  TRY(CALL(hipDeviceGetName, facts.name, sizeof facts.name, device));
  TRY(readArch(device, facts));
  TRY(CALL(hipDeviceGetAttribute, &wave, kWarpSize, device));
  TRY(CALL(hipDeviceGetAttribute, &managed, kManagedMemory, device));
  TRY(CALL(hipDeviceGetAttribute, &pageable, kPageableMemoryAccess, device));
  facts.waveSize = uint32_t(wave);
  facts.managed = managed != 0;
  facts.pageable = pageable != 0;
  return {"hipDeviceGetAttribute", 0};
}

Status makeCurrent() { return CALL(hipSetDevice, opened); }

Status open(int ordinal) {
  opened = ordinal;
  int together = 0;
  TRY(CALL(hipDeviceGetAttribute, &multiprocessors, kMultiprocessors, opened));
  TRY(CALL(hipDeviceGetAttribute, &together, kCooperativeLaunch, opened));
  launchesTogether = together && api.launchTogether;
  return makeCurrent();
}

Status setStack(uint64_t bytes, bool &unsupported) {
  Status status = {"hipDeviceSetLimit", api.setLimit ? api.setLimit(kLimitStackSize, bytes) : kNotSupported};
  // Versions differ in how they say that there is no such limit.
  unsupported = status.code == kUnsupportedLimit || status.code == kNotSupported || status.code == kInvalidValue;
  return status;
}

Status memoryInfo(uint64_t &free, uint64_t &total) {
  size_t freeBytes = 0, totalBytes = 0;
  Status status = CALL(hipMemGetInfo, &freeBytes, &totalBytes);
  free = freeBytes;
  total = totalBytes;
  return status;
}

Status loadModule(const abi::ImageRecord &image, void *&module, char *log, uint64_t) {
  *log = 0;
  return CALL(hipModuleLoadData, &module, image.data);
}

Status findFunction(void *module, const char *symbol, void *&function) {
  Status status = CALL(hipModuleGetFunction, &function, module, symbol);
  if (status.code != kNotFound)
    return status;
  function = nullptr;
  return {status.call, 0};
}

Status findGlobal(void *module, const char *symbol, void *&address, uint64_t &bytes) {
  size_t size = 0;
  Status status = CALL(hipModuleGetGlobal, &address, &size, module, symbol);
  bytes = size;
  if (status.code != kNotFound)
    return status;
  address = nullptr;
  return {status.call, 0};
}

Status launch(void *function, uint32_t blocks, uint32_t threads, void *parameter) {
  void *parameters[] = {&parameter};
  return CALL(hipModuleLaunchKernel, function, blocks, 1, 1, threads, 1, 1, 0, nullptr, parameters, nullptr);
}

Status occupancy(void *function, uint32_t threads, uint32_t &blocks) {
  int each = 0;
  Status status = CALL(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor, &each, function, int(threads), 0);
  blocks = uint32_t(each) * uint32_t(multiprocessors);
  return status;
}

Status launchTogether(void *function, uint32_t blocks, uint32_t threads, void *parameter) {
  if (!launchesTogether)
    return launch(function, blocks, threads, parameter);
  void *parameters[] = {&parameter};
  return {"hipModuleLaunchCooperativeKernel",
          api.launchTogether(function, blocks, 1, 1, threads, 1, 1, 0, nullptr, parameters)};
}

Status synchronise() { return CALL(hipDeviceSynchronize); }

Status poll(bool &ended) {
  Status status = CALL(hipStreamQuery, nullptr);
  ended = status.code != kNotReady;
  return {status.call, ended ? status.code : 0};
}

/// Coherent: each side sees what the other writes while a kernel runs.
Status allocateShared(uint64_t bytes, void *&memory) {
  return CALL(hipHostMalloc, &memory, bytes, kRegisterPortable | kRegisterMapped | kHostCoherent);
}

Status allocate(uint64_t bytes, void *&memory) { return CALL(hipMallocManaged, &memory, bytes, kAttachGlobal); }
Status allocateDevice(uint64_t bytes, void *&memory) { return CALL(hipMalloc, &memory, bytes); }
Status release(void *memory) { return CALL(hipFree, memory); }
Status copyToDevice(void *to, const void *from, uint64_t bytes) { return CALL(hipMemcpyHtoD, to, from, bytes); }

Status copyFromDevice(void *to, const void *from, uint64_t bytes) { return CALL(hipMemcpyDtoH, to, from, bytes); }
Status copyOnDevice(void *to, const void *from, uint64_t bytes) { return CALL(hipMemcpyDtoD, to, from, bytes); }

Status registerHost(const HostRange &range, void *&seenAt, bool &already) {
  Status status = CALL(hipHostRegister, range.address, range.bytes, kRegisterPortable | kRegisterMapped);
  already = status.code == kAlreadyRegistered;
  if (status.code && !already)
    return status;
  return CALL(hipHostGetDevicePointer, &seenAt, range.address, 0);
}

Status unregisterHost(void *address) { return CALL(hipHostUnregister, address); }

const char *const libraries[] = {"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", nullptr};

const Driver driver = {"hip",
                       "AMD's ROCm",
                       abi::ImageKind::Amdgcn,
                       "CILK2GPU_HIP_LIBRARY",
                       libraries,
                       bind,
                       describe,
                       initialise,
                       version,
                       countDevices,
                       readFacts,
                       open,
                       makeCurrent,
                       setStack,
                       memoryInfo,
                       loadModule,
                       findFunction,
                       findGlobal,
                       launch,
                       occupancy,
                       launchTogether,
                       synchronise,
                       poll,
                       allocate,
                       allocateDevice,
                       release,
                       allocateShared,
                       copyToDevice,
                       copyFromDevice,
                       copyOnDevice,
                       registerHost,
                       unregisterHost};

#undef TRY
#undef CALL

} // namespace

const Driver &hipDriver() { return driver; }

} // namespace cilk2gpu::device
