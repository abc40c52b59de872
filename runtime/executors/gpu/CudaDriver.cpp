// The calls of the CUDA driver API that differ from HIP's (DriverCalls.h). The declarations were checked against cuda.h
// of CUDA 13.0.
#include "core/Tunables.h"
#include "executors/gpu/DriverCalls.h"

#pragma GCC visibility push(default)
#include "cilk2gpu/abi/BlockImage.h"
#pragma GCC visibility pop

#include <stddef.h>
#include <stdio.h>

namespace cilk2gpu::device {
namespace {

constexpr int kWarpSize = 10, kMultiprocessors = 16, kMajor = 75, kMinor = 76, kManagedMemory = 83,
              kPageableMemoryAccess = 88, kConcurrentManagedAccess = 89, kUsesHostPointers = 91,
              kCooperativeLaunch = 95,
              kReadOnlyHostRegister = 113; // CUdevice_attribute
constexpr unsigned kRegisterReadOnly = 8;
constexpr int kJitMaxRegisters = 0, kJitErrorLog = 5, kJitErrorLogBytes = 6; // CUjit_option
constexpr int kJitPtx = 1;                                                   // CUjitInputType

#define CILK2GPU_CUDA(X)                                                                                               \
  X(cuDeviceGet, (int *device, int ordinal))                                                                           \
  X(cuDevicePrimaryCtxRetain, (void **context, int device))                                                            \
  X(cuCtxSetCurrent, (void *context))                                                                                  \
  X(cuCtxSetLimit, (int limit, size_t value))                                                                          \
  X(cuLinkCreate_v2, (unsigned count, int *options, void **values, void **link))                                       \
  X(cuLinkAddData_v2,                                                                                                  \
    (void *link, int kind, void *data, size_t bytes, const char *name, unsigned count, int *options, void **values))   \
  X(cuLinkComplete, (void *link, void **code, size_t *bytes))                                                          \
  X(cuLinkDestroy, (void *link))                                                                                       \
  X(cuModuleLoadData, (void **module, const void *code))                                                               \
  X(cuGetErrorName, (int code, const char **name))                                                                     \
  X(cuGetErrorString, (int code, const char **text))

/// CUDA_KERNEL_NODE_PARAMS, version 2.
struct KernelNode {
  void *function;
  unsigned gridX, gridY, gridZ, blockX, blockY, blockZ, shared;
  void **parameters, **extra;
  void *kernel, *context;
};
static_assert(sizeof(KernelNode) == 72 && offsetof(KernelNode, parameters) == 40);

/// Calls for graphs, which drivers before CUDA 12 lack.
#define CILK2GPU_CUDA_GRAPHS(X)                                                                                        \
  X(cuGraphCreate, (void **graph, unsigned flags))                                                                     \
  X(cuGraphAddKernelNode_v2,                                                                                           \
    (void **node, void *graph, void *const *parents, size_t numParents, const KernelNode *kernel))                     \
  X(cuGraphInstantiateWithFlags, (void **executable, void *graph, unsigned long long flags))                           \
  X(cuGraphLaunch, (void *executable, void *stream))                                                                   \
  X(cuGraphExecDestroy, (void *executable))                                                                            \
  X(cuGraphDestroy, (void *graph))

/// Calls that move managed memory, of CUDA 12 and before it. A location of CUDA 12 has two integers: its kind (1: a
/// device) and the number of the device.
#define CILK2GPU_CUDA_PREFETCH(X)                                                                                      \
  X(cuMemPrefetchAsync_v2,                                                                                             \
    (const void *memory, size_t bytes, unsigned long long location, unsigned flags, void *stream))                     \
  X(cuMemPrefetchAsync, (const void *memory, size_t bytes, int device, void *stream))
constexpr unsigned long long kDeviceLocation = 1;

constexpr int kNotSupported = 801; // CUresult

DriverCalls api;
struct {
  CILK2GPU_CUDA(CILK2GPU_DRIVER_FIELD)
  CILK2GPU_CUDA_GRAPHS(CILK2GPU_DRIVER_FIELD)
  CILK2GPU_CUDA_PREFETCH(CILK2GPU_DRIVER_FIELD)
} own;

void *context = nullptr; ///< the primary context of the device that was opened
int opened = 0;          ///< that device
bool canRegisterReadOnly = false, canPrefetch = false;

/// The API of CUDA.
struct Cuda : CommonDriver<api> {
  static constexpr char kName[] = "cuda", kProduct[] = "NVIDIA's driver";
  static constexpr abi::ImageKind kImages = abi::ImageKind::Nvptx;
  static constexpr char kVariable[] = "CILK2GPU_CUDA_LIBRARY";
  static constexpr const char *kLibraries[] = {"libcuda.so.1", "libcuda.so", nullptr};
  static constexpr BlockingVariable kBlocking[] = {{"CUDA_LAUNCH_BLOCKING", ~0l}, {}};

  static const char *bind(void *library) {
    if (const char *missing = api.find(library, /*isCuda=*/true))
      return missing;
    CILK2GPU_CUDA(CILK2GPU_DRIVER_FIND)
#define CILK2GPU_TRY_TO_FIND(symbol, parameters) own.symbol.find(library, #symbol);
    CILK2GPU_CUDA_GRAPHS(CILK2GPU_TRY_TO_FIND)
    CILK2GPU_CUDA_PREFETCH(CILK2GPU_TRY_TO_FIND)
#undef CILK2GPU_TRY_TO_FIND
    return nullptr;
  }

  static void describe(int code, const char *&name, const char *&meaning) {
    const char *text = nullptr;
    if (own.cuGetErrorName(code, &text).code == 0 && text)
      name = text;
    text = nullptr;
    if (own.cuGetErrorString(code, &text).code == 0 && text)
      meaning = text;
  }

  static Status readFacts(int ordinal, DeviceFacts &facts) {
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

  static Status makeCurrent() { return own.cuCtxSetCurrent(context); }

  static Status open(int ordinal) {
    int device = 0, readOnly = 0, concurrent = 0;
    CILK2GPU_TRY(own.cuDeviceGet(&device, ordinal));
    CILK2GPU_TRY(api.attribute(&concurrent, kConcurrentManagedAccess, device));
    canPrefetch = concurrent; // the driver refuses it on other devices
    opened = device;
    // A driver that does not know the attribute cannot register read-only memory.
    canRegisterReadOnly = api.attribute(&readOnly, kReadOnlyHostRegister, device).code == 0 && readOnly;
    CILK2GPU_TRY(readGrid(device, kMultiprocessors, kCooperativeLaunch));
    CILK2GPU_TRY(own.cuDevicePrimaryCtxRetain(&context, device));
    return makeCurrent();
  }

  static Status launchGraph(void *function, uint32_t, uint32_t threads, void *sequence) {
#define CILK2GPU_CHECK_FOUND(call, parameters)                                                                         \
  if (!own.call.function)                                                                                              \
    return {own.call.symbol, kNotSupported};
    CILK2GPU_CUDA_GRAPHS(CILK2GPU_CHECK_FOUND)
#undef CILK2GPU_CHECK_FOUND
    void *graph = nullptr, *executable = nullptr;
    CILK2GPU_TRY(own.cuGraphCreate(&graph, 0));
    Status status = addSteps(graph, function, threads, *static_cast<const KernelSequence *>(sequence));
    if (!status.code)
      status = own.cuGraphInstantiateWithFlags(&executable, graph, 0);
    if (!status.code)
      status = own.cuGraphLaunch(executable, nullptr);
    if (executable) // a graph that runs is freed when it has ended
      own.cuGraphExecDestroy(executable);
    own.cuGraphDestroy(graph);
    return status;
  }

  static Status setStack(uint64_t bytes, bool &unsupported) {
    Status status = own.cuCtxSetLimit(kLimitStackSize, bytes);
    unsupported = status.code == kUnsupportedLimit;
    return status;
  }

  /// Has the driver's linker make the code, because the linker compiles each function once. Without it, the driver
  /// compiles a copy of each function for each kernel that may call it. That took more than 300 s instead of 18 s for
  /// an image with 200 kernels and calls through pointers, and 5 s instead of 0.9 s for an image with one task.
  static Status loadModule(const abi::ImageRecord &image, uint32_t registers, void *&module, char *log,
                           uint64_t logBytes) {
    auto *ptx = const_cast<char *>(static_cast<const char *>(image.data));
    // The size of a kernel's blocks limits the kernel's registers, but not those of the functions that it calls.
    if (strstr(ptx, abi::kBlocksKernel))
      registers = rt::tunables::kBlockRegisters;
    int options[] = {kJitErrorLog, kJitErrorLogBytes, kJitMaxRegisters};
    void *values[] = {log, reinterpret_cast<void *>(logBytes), reinterpret_cast<void *>(uint64_t(registers))};
    void *link = nullptr, *code = nullptr;
    size_t bytes = 0;
    CILK2GPU_TRY(own.cuLinkCreate_v2(registers ? 3 : 2, options, values, &link));
    Status status = own.cuLinkAddData_v2(link, kJitPtx, ptx, strlen(ptx) + 1, image.arch, 0, nullptr, nullptr);
    if (!status.code)
      status = own.cuLinkComplete(link, &code, &bytes);
    if (!status.code)
      status = own.cuModuleLoadData(&module, code);
    Status destroyed = own.cuLinkDestroy(link);
    return status.code ? status : destroyed;
  }

  static Status prefetch(void *memory, uint64_t bytes) {
    if (canPrefetch && own.cuMemPrefetchAsync_v2.function)
      return own.cuMemPrefetchAsync_v2(memory, bytes, kDeviceLocation | uint64_t(opened) << 32, 0, nullptr);
    if (canPrefetch && own.cuMemPrefetchAsync.function)
      return own.cuMemPrefetchAsync(memory, bytes, opened, nullptr);
    return {own.cuMemPrefetchAsync.symbol, 0};
  }

  static Status allocateShared(uint64_t bytes, void *&memory) {
    return api.allocateHost(&memory, bytes, kPortable | kMapped);
  }

  static Status registerHost(const HostRange &range, void *&seenAt, bool &already) {
    return registerWith(range.readOnly && canRegisterReadOnly ? kRegisterReadOnly : 0, range, seenAt, already);
  }

  /// Adds a node for each step. Each node waits for the one before.
  static Status addSteps(void *graph, void *function, uint32_t threads, const KernelSequence &sequence) {
    void *last = nullptr, *node = nullptr;
    for (uint64_t i = 0; i < sequence.count; ++i, last = node) {
      void *parameter = sequence.steps[i].parameter, *parameters[] = {&parameter};
      const KernelNode kernel = {.function = function,
                                 .gridX = sequence.steps[i].blocks,
                                 .gridY = 1,
                                 .gridZ = 1,
                                 .blockX = threads,
                                 .blockY = 1,
                                 .blockZ = 1,
                                 .shared = 0,
                                 .parameters = parameters,
                                 .extra = nullptr,
                                 .kernel = nullptr,
                                 .context = nullptr};
      CILK2GPU_TRY(own.cuGraphAddKernelNode_v2(&node, graph, &last, i ? 1 : 0, &kernel));
    }
    return {own.cuGraphAddKernelNode_v2.symbol, 0};
  }

  static bool registersReadOnly() { return canRegisterReadOnly; }
};

constexpr Driver driver = makeDriver<Cuda>();

} // namespace

const Driver &cudaDriver() { return driver; }

} // namespace cilk2gpu::device
