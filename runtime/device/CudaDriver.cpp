// The CUDA driver API, as far as the runtime needs it: declared here, checked against cuda.h of CUDA 13.0. Handles are
// pointers, CUdevice is an int, CUdeviceptr and size_t have 64 bits, CUresult is an int.
#include "device/Driver.h"

#include <stdio.h>

namespace cilk2gpu::device {
namespace {

constexpr int kUnsupportedLimit = 215, kNotFound = 500, kNotReady = 600, kAlreadyRegistered = 712;
constexpr int kWarpSize = 10, kMultiprocessors = 16, kMajor = 75, kMinor = 76, kManagedMemory = 83,
              kPageableMemoryAccess = 88, kCooperativeLaunch = 95, kReadOnlyHostRegister = 113; // CUdevice_attribute
constexpr unsigned kAttachGlobal = 1, kRegisterPortable = 1, kRegisterDeviceMap = 2, kRegisterReadOnly = 8;
constexpr int kLimitStackSize = 0;
constexpr int kJitErrorLog = 5, kJitErrorLogBytes = 6; // CUjit_option

#define CILK2GPU_CUDA(CALL)                                                                                            \
  CALL(cuInit, (unsigned flags))                                                                                       \
  CALL(cuDriverGetVersion, (int *version))                                                                             \
  CALL(cuDeviceGetCount, (int *count))                                                                                 \
  CALL(cuDeviceGet, (int *device, int ordinal))                                                                        \
  CALL(cuDeviceGetName, (char *name, int bytes, int device))                                                           \
  CALL(cuDeviceGetAttribute, (int *value, int attribute, int device))                                                  \
  CALL(cuDevicePrimaryCtxRetain, (void **context, int device))                                                         \
  CALL(cuCtxSetCurrent, (void *context))                                                                               \
  CALL(cuCtxSetLimit, (int limit, size_t value))                                                                       \
  CALL(cuStreamQuery, (void *stream))                                                                                  \
  CALL(cuCtxSynchronize, ())                                                                                           \
  CALL(cuModuleLoadDataEx, (void **module, const void *data, unsigned count, int *options, void **values))             \
  CALL(cuModuleGetFunction, (void **function, void *module, const char *name))                                         \
  CALL(cuModuleGetGlobal_v2, (uint64_t *address, size_t *bytes, void *module, const char *name))                       \
  CALL(cuLaunchKernel,                                                                                                 \
       (void *function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,              \
        unsigned blockZ, unsigned shared, void *stream, void **parameters, void **extra))                              \
  CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor, (int *blocks, void *function, int threads, size_t shared))         \
  CALL(cuLaunchCooperativeKernel,                                                                                      \
       (void *function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,              \
        unsigned blockZ, unsigned shared, void *stream, void **parameters))                                            \
  CALL(cuMemGetInfo_v2, (size_t *free, size_t *total))                                                                 \
  CALL(cuMemAllocManaged, (uint64_t *address, size_t bytes, unsigned flags))                                           \
  CALL(cuMemAlloc_v2, (uint64_t *address, size_t bytes))                                                               \
  CALL(cuMemHostAlloc, (void **memory, size_t bytes, unsigned flags))                                                  \
  CALL(cuMemFree_v2, (uint64_t address))                                                                               \
  CALL(cuMemcpyHtoD_v2, (uint64_t to, const void *from, size_t bytes))                                                 \
  CALL(cuMemcpyDtoH_v2, (void *to, uint64_t from, size_t bytes))                                                       \
  CALL(cuMemcpyDtoD_v2, (uint64_t to, uint64_t from, size_t bytes))                                                    \
  CALL(cuMemHostRegister_v2, (void *address, size_t bytes, unsigned flags))                                            \
  CALL(cuMemHostGetDevicePointer_v2, (uint64_t *address, void *host, unsigned flags))                                  \
  CALL(cuMemHostUnregister, (void *address))                                                                           \
  CALL(cuGetErrorName, (int code, const char **name))                                                                  \
  CALL(cuGetErrorString, (int code, const char **text))

struct {
  CILK2GPU_CUDA(CILK2GPU_DRIVER_FIELD)
} api;

void *context = nullptr; ///< the primary one of the device that was opened
bool registersReadOnly = false, launchesTogether = false;
int multiprocessors = 0;

#define CALL CILK2GPU_DRIVER_CALL

/// Goes on if the call did what it should, else returns its status.
#define TRY(...)                                                                                                       \
  if (Status status = (__VA_ARGS__); status.code)                                                                      \
  return status

const char *bind(void *library) {
  CILK2GPU_CUDA(CILK2GPU_DRIVER_BIND)
  return nullptr;
}

void describe(int code, const char *&name, const char *&meaning) {
  const char *text = nullptr;
  if (api.cuGetErrorName(code, &text) == 0 && text)
    name = text;
  text = nullptr;
  if (api.cuGetErrorString(code, &text) == 0 && text)
    meaning = text;
}

Status initialise() { return CALL(cuInit, 0); }
Status version(int &version) { return CALL(cuDriverGetVersion, &version); }
Status countDevices(int &count) { return CALL(cuDeviceGetCount, &count); }

Status readFacts(int ordinal, DeviceFacts &facts) {
  int device = 0, major = 0, minor = 0, wave = 0, managed = 0, pageable = 0;
  TRY(CALL(cuDeviceGet, &device, ordinal));
  TRY(CALL(cuDeviceGetName, facts.name, sizeof facts.name, device));
  TRY(CALL(cuDeviceGetAttribute, &major, kMajor, device));
  TRY(CALL(cuDeviceGetAttribute, &minor, kMinor, device));
  TRY(CALL(cuDeviceGetAttribute, &wave, kWarpSize, device));
  TRY(CALL(cuDeviceGetAttribute, &managed, kManagedMemory, device));
  TRY(CALL(cuDeviceGetAttribute, &pageable, kPageableMemoryAccess, device));
  snprintf(facts.arch, sizeof facts.arch, "sm_%d%d", major, minor);
  facts.waveSize = uint32_t(wave);
  facts.managed = managed != 0;
  facts.pageable = pageable != 0;
  return {"cuDeviceGetAttribute", 0};
}

Status makeCurrent() { return CALL(cuCtxSetCurrent, context); }

Status open(int ordinal) {
  int device = 0, readOnly = 0;
  TRY(CALL(cuDeviceGet, &device, ordinal));
  // Drivers that do not know the attribute cannot do it.
  registersReadOnly = api.cuDeviceGetAttribute(&readOnly, kReadOnlyHostRegister, device) == 0 && readOnly;
  int together = 0;
  TRY(CALL(cuDeviceGetAttribute, &multiprocessors, kMultiprocessors, device));
  TRY(CALL(cuDeviceGetAttribute, &together, kCooperativeLaunch, device));
  launchesTogether = together != 0;
  TRY(CALL(cuDevicePrimaryCtxRetain, &context, device));
  return makeCurrent();
}

Status setStack(uint64_t bytes, bool &unsupported) {
  Status status = CALL(cuCtxSetLimit, kLimitStackSize, bytes);
  unsupported = status.code == kUnsupportedLimit;
  return status;
}

Status memoryInfo(uint64_t &free, uint64_t &total) {
  size_t freeBytes = 0, totalBytes = 0;
  Status status = CALL(cuMemGetInfo_v2, &freeBytes, &totalBytes);
  free = freeBytes;
  total = totalBytes;
  return status;
}

Status loadModule(const abi::ImageRecord &image, void *&module, char *log, uint64_t logBytes) {
  int options[] = {kJitErrorLog, kJitErrorLogBytes};
  void *values[] = {log, reinterpret_cast<void *>(logBytes)};
  return CALL(cuModuleLoadDataEx, &module, image.data, 2, options, values);
}

Status findFunction(void *module, const char *symbol, void *&function) {
  Status status = CALL(cuModuleGetFunction, &function, module, symbol);
  if (status.code != kNotFound)
    return status;
  function = nullptr;
  return {status.call, 0};
}

Status findGlobal(void *module, const char *symbol, void *&address, uint64_t &bytes) {
  uint64_t found = 0;
  size_t size = 0;
  Status status = CALL(cuModuleGetGlobal_v2, &found, &size, module, symbol);
  address = status.code ? nullptr : reinterpret_cast<void *>(found);
  bytes = size;
  return {status.call, status.code == kNotFound ? 0 : status.code};
}

Status launch(void *function, uint32_t blocks, uint32_t threads, void *parameter) {
  void *parameters[] = {&parameter};
  return CALL(cuLaunchKernel, function, blocks, 1, 1, threads, 1, 1, 0, nullptr, parameters, nullptr);
}

Status occupancy(void *function, uint32_t threads, uint32_t &blocks) {
  int each = 0;
  Status status = CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor, &each, function, int(threads), 0);
  blocks = uint32_t(each) * uint32_t(multiprocessors);
  return status;
}

Status launchTogether(void *function, uint32_t blocks, uint32_t threads, void *parameter) {
  if (!launchesTogether)
    return launch(function, blocks, threads, parameter);
  void *parameters[] = {&parameter};
  return CALL(cuLaunchCooperativeKernel, function, blocks, 1, 1, threads, 1, 1, 0, nullptr, parameters);
}

Status synchronise() { return CALL(cuCtxSynchronize); }

Status poll(bool &ended) {
  Status status = CALL(cuStreamQuery, nullptr);
  ended = status.code != kNotReady;
  return {status.call, ended ? status.code : 0};
}

Status allocate(uint64_t bytes, void *&memory) {
  uint64_t address = 0;
  Status status = CALL(cuMemAllocManaged, &address, bytes, kAttachGlobal);
  memory = reinterpret_cast<void *>(address);
  return status;
}

Status allocateDevice(uint64_t bytes, void *&memory) {
  uint64_t address = 0;
  Status status = CALL(cuMemAlloc_v2, &address, bytes);
  memory = reinterpret_cast<void *>(address);
  return status;
}

Status release(void *memory) { return CALL(cuMemFree_v2, reinterpret_cast<uint64_t>(memory)); }

Status allocateShared(uint64_t bytes, void *&memory) {
  return CALL(cuMemHostAlloc, &memory, bytes, kRegisterPortable | kRegisterDeviceMap);
}

Status copyToDevice(void *to, const void *from, uint64_t bytes) {
  return CALL(cuMemcpyHtoD_v2, reinterpret_cast<uint64_t>(to), from, bytes);
}

Status copyFromDevice(void *to, const void *from, uint64_t bytes) {
  return CALL(cuMemcpyDtoH_v2, to, reinterpret_cast<uint64_t>(from), bytes);
}

Status copyOnDevice(void *to, const void *from, uint64_t bytes) {
  return CALL(cuMemcpyDtoD_v2, reinterpret_cast<uint64_t>(to), reinterpret_cast<uint64_t>(from), bytes);
}

Status registerHost(const HostRange &range, void *&seenAt, bool &already) {
  unsigned flags = kRegisterPortable | kRegisterDeviceMap;
  if (range.readOnly && registersReadOnly)
    flags |= kRegisterReadOnly;
  Status status = CALL(cuMemHostRegister_v2, range.address, range.bytes, flags);
  already = status.code == kAlreadyRegistered;
  if (status.code && !already)
    return status;
  uint64_t address = 0;
  status = CALL(cuMemHostGetDevicePointer_v2, &address, range.address, 0);
  seenAt = reinterpret_cast<void *>(address);
  return status;
}

Status unregisterHost(void *address) { return CALL(cuMemHostUnregister, address); }

const char *const libraries[] = {"libcuda.so.1", "libcuda.so", nullptr};

const Driver driver = {"cuda",
                       "NVIDIA's driver",
                       abi::ImageKind::Nvptx,
                       "CILK2GPU_CUDA_LIBRARY",
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

const Driver &cudaDriver() { return driver; }

} // namespace cilk2gpu::device
