// The calls of the CUDA driver API that differ from HIP's (DriverCalls.h). The declarations were checked against cuda.h
// of CUDA 13.0.
#include "executors/gpu/DriverCalls.h"

#include <stdio.h>

namespace cilk2gpu::device {
namespace {

constexpr int kWarpSize = 10, kMultiprocessors = 16, kMajor = 75, kMinor = 76, kManagedMemory = 83,
              kPageableMemoryAccess = 88, kConcurrentManagedAccess = 89, kUsesHostPointers = 91,
              kCooperativeLaunch = 95,
              kReadOnlyHostRegister = 113; // CUdevice_attribute
constexpr unsigned kRegisterReadOnly = 8;
constexpr int kJitErrorLog = 5, kJitErrorLogBytes = 6; // CUjit_option

#define CILK2GPU_CUDA(X)                                                                                               \
  X(cuDeviceGet, (int *device, int ordinal))                                                                           \
  X(cuDevicePrimaryCtxRetain, (void **context, int device))                                                            \
  X(cuCtxSetCurrent, (void *context))                                                                                  \
  X(cuCtxSetLimit, (int limit, size_t value))                                                                          \
  X(cuModuleLoadDataEx, (void **module, const void *data, unsigned count, int *options, void **values))                \
  X(cuGetErrorName, (int code, const char **name))                                                                     \
  X(cuGetErrorString, (int code, const char **text))

DriverCalls api;
struct {
  CILK2GPU_CUDA(CILK2GPU_DRIVER_FIELD)
} own;

using Common = CommonDriver<api>;

void *context = nullptr; ///< the primary context of the device that was opened
bool registersReadOnly = false;

const char *bind(void *library) {
  if (const char *missing = api.find(library, /*isCuda=*/true))
    return missing;
  CILK2GPU_CUDA(CILK2GPU_DRIVER_FIND)
  return nullptr;
}

void describe(int code, const char *&name, const char *&meaning) {
  const char *text = nullptr;
  if (own.cuGetErrorName(code, &text).code == 0 && text)
    name = text;
  text = nullptr;
  if (own.cuGetErrorString(code, &text).code == 0 && text)
    meaning = text;
}

Status readFacts(int ordinal, DeviceFacts &facts) {
  int device = 0, major = 0, minor = 0, wave = 0, managed = 0, pageable = 0, concurrent = 0, sameAddress = 0;
  CILK2GPU_TRY(own.cuDeviceGet(&device, ordinal));
  CILK2GPU_TRY(api.name(facts.name, sizeof facts.name, device));
  CILK2GPU_TRY(api.attribute(&major, kMajor, device));
  CILK2GPU_TRY(api.attribute(&minor, kMinor, device));
  CILK2GPU_TRY(api.attribute(&wave, kWarpSize, device));
  CILK2GPU_TRY(api.attribute(&managed, kManagedMemory, device));
  CILK2GPU_TRY(api.attribute(&pageable, kPageableMemoryAccess, device));
  CILK2GPU_TRY(api.attribute(&concurrent, kConcurrentManagedAccess, device));
  CILK2GPU_TRY(api.attribute(&sameAddress, kUsesHostPointers, device));
  snprintf(facts.arch, sizeof facts.arch, "sm_%d%d", major, minor);
  facts.waveSize = uint32_t(wave);
  facts.managed = managed != 0;
  facts.pageable = pageable != 0;
  facts.concurrent = concurrent != 0;
  facts.sameAddress = sameAddress != 0;
  return {api.attribute.symbol, 0};
}

Status makeCurrent() { return own.cuCtxSetCurrent(context); }

Status open(int ordinal) {
  int device = 0, readOnly = 0;
  CILK2GPU_TRY(own.cuDeviceGet(&device, ordinal));
  // A driver that does not know the attribute cannot register read-only memory.
  registersReadOnly = api.attribute(&readOnly, kReadOnlyHostRegister, device).code == 0 && readOnly;
  CILK2GPU_TRY(Common::readGrid(device, kMultiprocessors, kCooperativeLaunch));
  CILK2GPU_TRY(own.cuDevicePrimaryCtxRetain(&context, device));
  return makeCurrent();
}

Status setStack(uint64_t bytes, bool &unsupported) {
  Status status = own.cuCtxSetLimit(Common::kLimitStackSize, bytes);
  unsupported = status.code == Common::kUnsupportedLimit;
  return status;
}

Status loadModule(const abi::ImageRecord &image, void *&module, char *log, uint64_t logBytes) {
  int options[] = {kJitErrorLog, kJitErrorLogBytes};
  void *values[] = {log, reinterpret_cast<void *>(logBytes)};
  return own.cuModuleLoadDataEx(&module, image.data, 2, options, values);
}

Status allocateShared(uint64_t bytes, void *&memory) {
  return api.allocateHost(&memory, bytes, Common::kPortable | Common::kMapped);
}

Status registerHost(const HostRange &range, void *&seenAt, bool &already) {
  return Common::registerWith(range.readOnly && registersReadOnly ? kRegisterReadOnly : 0, range, seenAt, already);
}

const char *const libraries[] = {"libcuda.so.1", "libcuda.so", nullptr};
constexpr BlockingVariable blocking[] = {{"CUDA_LAUNCH_BLOCKING", ~0l}, {}};

constexpr Driver makeDriver() {
  Driver driver;
  Common::fill(driver);
  driver.name = "cuda";
  driver.product = "NVIDIA's driver";
  driver.images = abi::ImageKind::Nvptx;
  driver.variable = "CILK2GPU_CUDA_LIBRARY";
  driver.libraries = libraries;
  driver.blocking = blocking;
  driver.bind = bind;
  driver.describe = describe;
  driver.facts = readFacts;
  driver.open = open;
  driver.makeCurrent = makeCurrent;
  driver.setStack = setStack;
  driver.loadModule = loadModule;
  driver.allocateShared = allocateShared;
  driver.registersReadOnly = [] { return registersReadOnly; };
  driver.registerHost = registerHost;
  return driver;
}

constexpr Driver driver = makeDriver();

} // namespace

const Driver &cudaDriver() { return driver; }

} // namespace cilk2gpu::device
