// A program with device images, as the compiler would make it, for tests with fake drivers. Its images are functions of
// its own. It is linked by the C driver, like the runtime's probe. Usage: gpu-probe COMMAND [N]; unknown commands exit
// with 2. FAKE_ARCHS lists the images to register, of the images below.
// FAKE_LAUNCHED: the images have no persistent kernel. FAKE_UNLISTED: no list has the address of their last variable.
#include "FakeImage.h"
#include "FakePersistent.h"
#include "Programs.h"
#include "cilk2gpu/abi/Image.h"
#include "device/RequestClient.h"
#include "executors/gpu-host/HostLanes.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace cilk2gpu;
using namespace cilk2gpu::test;

/// Runs all lanes of a kernel's entry in an image, in wavefronts of 32.
static void run(const FakeSymbol &self, abi::Wave *wave, const Grid &) {
  device::HostLanes lanes(32, 1, 1 << 16);
  lanes.run(self.lane, wave, self.restarts);
}

static constexpr FakeSymbol entry(const char *name, abi::LaneFn lane, bool restarts = false) {
  return {name, run, nullptr, 0, lane, restarts};
}

static constexpr FakeSymbol slot(const char *name, void *variable) {
  return {name, nullptr, variable, sizeof(void *), nullptr, false};
}

// touch(n, p): *p = *p + n + counter + tables[n % 4], where counter is a global of the host's.

static int64_t counter = 1000;
static const int64_t table[4] = {10, 20, 30, 40};
static int64_t *counterOnDevice; // the image's variable
static const int64_t *tableOnDevice;

static void touch(const int64_t *global, const int64_t *constants, int32_t n, int64_t *p) {
  deviceWrite(p, deviceRead(p) + n + deviceRead(global) + deviceRead(constants + n % 4));
}
static void touchRun(abi::Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane)
    touch(&counter, table, load<int32_t>(wave, lane, 0), load<int64_t *>(wave, lane, 1));
}
static void touchLane(abi::Wave *wave, uint64_t lane, uint32_t) {
  touch(deviceRead(&counterOnDevice), deviceRead(&tableOnDevice), deviceLoad<int32_t>(wave, lane, 0),
        deviceLoad<int64_t *>(wave, lane, 1));
}

// ask(n, p): *p = 2 * n, by way of the host's memory, and prints it. ask(98, p): operator new fails.

// ask(96, p): the lane's stack is full. ask(97, p): *p = the bytes of it that may be used.

static abi::RequestQueue *requestsOnDevice;
static uint64_t stackOnDevice = ~uint64_t(0);
static uint32_t requestLocks[abi::kRequestSlots];

static void askLane(abi::Wave *wave, uint64_t lane, uint32_t) {
  device::RequestClient host(deviceRead(&requestsOnDevice), requestLocks);
  int32_t n = deviceLoad<int32_t>(wave, lane, 0);
  if (n == 96)
    host.call(abi::HostFunction::StackFull);
  if (n == 97)
    return deviceWrite(deviceLoad<int64_t *>(wave, lane, 1), int64_t(deviceRead(&stackOnDevice)));
  auto *memory = reinterpret_cast<int64_t *>(host.call(abi::HostFunction::Call_malloc, 8));
  *memory = n;
  void (*say)(uint64_t *) = [](uint64_t *words) { printf("lane %d asks\n", int(words[0])); };
  host.call(abi::HostFunction::Thunk, say, n);
  deviceWrite(deviceLoad<int64_t *>(wave, lane, 1), *memory * 2);
  void (*allocate)(uint64_t *) = [](uint64_t *words) {
    if (words[0] > 1000)
      __cilk2gpu_exception(); // where C++ has thrown one
    words[0] = uint64_t(malloc(words[0]));
  };
  void (*release)(uint64_t *) = [](uint64_t *words) { free(reinterpret_cast<void *>(words[0])); };
  uint64_t object = host.call(abi::HostFunction::New, allocate, n == 98 ? 12345 : 16);
  host.call(abi::HostFunction::Delete, release, object);
  if (n == 99)
    host.call(abi::HostFunction::Call_exit, 7);
  host.call(abi::HostFunction::Call_free, memory);
}

// peek(n, p): counter += *p, which may be in read-only memory.

static void peekRun(abi::Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane)
    counter += *load<int64_t *>(wave, lane, 1);
}
static void peekLane(abi::Wave *wave, uint64_t lane, uint32_t) {
  int64_t *global = deviceRead(&counterOnDevice);
  deviceWrite(global, deviceRead(global) + deviceRead(deviceLoad<int64_t *>(wave, lane, 1)));
}

// interrupt(n, p): the process gets signal n, as from Ctrl-C. The task does not end by itself.

static void interruptLane(abi::Wave *wave, uint64_t lane, uint32_t) {
  kill(getpid(), deviceLoad<int32_t>(wave, lane, 0));
  for (;;)
    pause();
}

static const abi::FieldRecord fields[] = {{4, 4}, {8, 8}};
static constexpr abi::KernelRecord kernel(const char *name, const char *symbol) {
  return {.name = name, .run = touchRun, .lane = touchLane, .symbol = symbol};
}
static constexpr abi::TaskRecord task(const char *name, const abi::KernelRecord *kernels) {
  return {
      .name = name, .location = "touch.c:3:1", .fields = fields, .kernels = kernels, .numFields = 2, .numKernels = 1};
}
static const abi::KernelRecord touchKernels[] = {kernel("touch.k0", "touch_0")};
static const abi::KernelRecord missingKernels[] = {kernel("missing.k0", "missing_0")};
static const abi::KernelRecord hostKernels[] = {kernel("host.k0", nullptr)};
static const abi::KernelRecord peekKernels[] = {
    {.name = "peek.k0", .run = peekRun, .lane = peekLane, .symbol = "peek_0"}};
static const abi::KernelRecord askKernels[] = {{.name = "ask.k0", .run = touchRun, .lane = askLane, .symbol = "ask_0"}};
static const abi::KernelRecord interruptKernels[] = {
    {.name = "interrupt.k0", .run = touchRun, .lane = interruptLane, .symbol = "interrupt_0"}};
static abi::TaskRecord interruptTask = task("interrupt", interruptKernels);
static abi::TaskRecord askTask = task("ask", askKernels); // in the image that asks
static abi::TaskRecord peekTask = task("peek", peekKernels);
static abi::TaskRecord touchTask = task("touch", touchKernels);
static abi::TaskRecord missingTask = task("missing", missingKernels); // in no image
static abi::TaskRecord hostTask = task("host", hostKernels);          // compiled without --offload-arch

// Tables of the persistent kernel. A program that was linked without one has no tables.
static constexpr abi::LaneFn laneTable[] = {fibLane0,   fibLane1,  loopLane0,    loopLane1,
                                            childLane0, touchLane, interruptLane};
static constexpr char laneNames[] = "fib_0\0fib_1\0loop_0\0loop_1\0child_0\0touch_0\0interrupt_0";
static constexpr abi::LaneFn askingLanes[] = {askLane};
static constexpr char askingNames[] = "ask_0";

static constexpr FakeSymbol persistentKernel() {
  return {abi::kPersistentKernel, nullptr, nullptr, 0, nullptr, false, fakeWavefront};
}
template <typename T, size_t N> static FakeSymbol constant(const char *name, const T (&value)[N]) {
  return {name, nullptr, const_cast<T *>(value), sizeof value, nullptr, false};
}

static constexpr char addressNames[] = "counter_address\0counter\0table_address\0table";

static const FakeSymbol symbols[] = {persistentKernel(),
                                     constant(abi::kLaneTable, laneTable),
                                     constant(abi::kLaneNames, laneNames),
                                     entry("fib_0", fibLane0),
                                     entry("fib_0_r", fibLane0, true),
                                     entry("fib_1", fibLane1),
                                     entry("loop_0", loopLane0),
                                     entry("loop_0_r", loopLane0, true),
                                     entry("loop_1", loopLane1),
                                     entry("child_0", childLane0),
                                     entry("touch_0", touchLane),
                                     entry("peek_0", peekLane),
                                     entry("interrupt_0", interruptLane),
                                     slot("counter_address", &counterOnDevice),
                                     slot("table_address", &tableOnDevice),
                                     constant(abi::kAddressNames, addressNames),
                                     constant(abi::kDeepStack, laneNames)};
constexpr uint64_t kSymbols = sizeof symbols / sizeof *symbols, kPersistentSymbols = 3;
static const FakeImage image = {"// fake", symbols, kSymbols - 1, nullptr, &deviceAccess};
static const FakeImage deepImage = {"// fake", symbols, kSymbols, nullptr, &deviceAccess};
static const FakeImage launchedImage = {"// fake", symbols + kPersistentSymbols, kSymbols - 1 - kPersistentSymbols,
                                        nullptr, &deviceAccess};
static const FakeSymbol askingSymbols[] = {entry("ask_0", askLane),
                                           slot(CILK2GPU_REQUESTS_SYMBOL, &requestsOnDevice),
                                           persistentKernel(),
                                           constant(abi::kLaneTable, askingLanes),
                                           constant(abi::kLaneNames, askingNames),
                                           slot(abi::kStackBytes, &stackOnDevice)};
static const FakeImage askingImage = {"// fake", askingSymbols, sizeof askingSymbols / sizeof *askingSymbols, nullptr,
                                      &deviceAccess};
static const abi::AddressRecord addresses[] = {{"counter_address", &counter, 8},
                                               {"table_address", const_cast<int64_t *>(table), 32},
                                               {"unused_address", &counter, 8}};

static constexpr abi::ImageRecord record(abi::ImageKind kind, uint32_t wave, const char *arch) {
  return {abi::kMagic, abi::kAbiVersion, kind, wave, arch, &image, sizeof image, addresses, 3};
}
static abi::ImageRecord images[] = {
    record(abi::ImageKind::Nvptx, 32, "sm_80"), record(abi::ImageKind::Nvptx, 32, "sm_90"),
    record(abi::ImageKind::Amdgcn, 64, "gfx90a"), record(abi::ImageKind::Amdgcn, 32, "gfx11-generic")};

static const abi::ImageRecord askingImages[] = {
    {abi::kMagic, abi::kAbiVersion, abi::ImageKind::Nvptx, 32, "sm_80", &askingImage, sizeof askingImage, nullptr, 0},
    {abi::kMagic, abi::kAbiVersion, abi::ImageKind::Amdgcn, 64, "gfx90a", &askingImage, sizeof askingImage, nullptr,
     0}};

__attribute__((constructor)) static void registerAll() {
  if (getenv("FAKE_ASKS"))
    for (const abi::ImageRecord &each : askingImages)
      __cilk2gpu_register_image(&each);
  const char *archs = getenv("FAKE_ARCHS");
  for (abi::ImageRecord &each : images)
    each.data = getenv("FAKE_LAUNCHED") ? &launchedImage : getenv("FAKE_DEEP_STACK") ? &deepImage : each.data;
  for (abi::ImageRecord &each : images)
    each.numAddresses = getenv("FAKE_UNLISTED") ? 1 : each.numAddresses;
  for (const abi::ImageRecord &each : images)
    if (!archs || strstr(archs, each.arch))
      __cilk2gpu_register_image(&each);
  static abi::TaskRecord *const tasks[] = {&fibTask,     &loopTask, &touchTask, &interruptTask,
                                           &missingTask, &askTask,  &peekTask,  &hostTask};
  static const abi::GraphRecord graph = {
      .module = "probe.c", .tasks = tasks, .numTasks = uint64_t(getenv("FAKE_HOST_TASK") ? 8 : 7)};
  __cilk2gpu_register(&graph);
}

static void enqueue(abi::TaskRecord *task, int32_t argument, int64_t *result) {
  abi::Cursor *root = __cilk2gpu_root(task);
  static_cast<int32_t *>(root->columns[0])[root->next] = argument;
  static_cast<int64_t **>(root->columns[1])[root->next] = result;
  ++root->next;
  __cilk2gpu_publish(root);
}

static int64_t call(abi::TaskRecord *task, int32_t argument, int64_t start = -1) {
  int64_t result = start;
  enqueue(task, argument, &result);
  __cilk2gpu_execute();
  return result;
}

static int print(int64_t value) {
  printf("%lld\n", static_cast<long long>(value));
  return 0;
}

/// Runs tasks that touch the stack, a global, a constant, the heap, a large block, and mappings that change between
/// runs.
static int runMemory() {
  static int64_t global = 1;
  int64_t stack = 1, *heap = static_cast<int64_t *>(malloc(8)), *large = static_cast<int64_t *>(malloc(1 << 24));
  *heap = large[1 << 20] = 1;
  for (int32_t i = 0; i < 4; ++i) {
    int sharing = i % 2 ? MAP_SHARED : MAP_PRIVATE;
    auto *mapped = static_cast<int64_t *>(mmap(nullptr, 8192, PROT_READ | PROT_WRITE, sharing | MAP_ANONYMOUS, -1, 0));
    int64_t *const places[] = {&global, &stack, heap, large + (1 << 20), mapped + 700};
    for (int64_t *each : places)
      enqueue(&touchTask, i, each);
    __cilk2gpu_execute();
    ++counter;
    printf("%lld %lld %lld %lld %lld\n", static_cast<long long>(global), static_cast<long long>(stack),
           static_cast<long long>(*heap), static_cast<long long>(large[1 << 20]), static_cast<long long>(mapped[700]));
    munmap(mapped, 8192);
  }
  free(heap);
  free(large);
  return 0;
}

/// Runs a task that reads memory that the process made read-only.
static int runReadOnly() {
  auto *table = static_cast<int64_t *>(mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  table[700] = 7;
  mprotect(table, 8192, PROT_READ);
  enqueue(&peekTask, 0, &table[700]);
  __cilk2gpu_execute();
  return print(counter);
}

/// Runs a task that touches a mapped file in /dev that is no device, as files of huge pages are.
static int runFile() {
  char path[] = "/dev/cilk2gpu-XXXXXX";
  int file = mkstemp(path);
  if (file < 0)
    return 77;
  unlink(path);
  if (ftruncate(file, 8192))
    return 77;
  auto *mapped = static_cast<int64_t *>(mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
  enqueue(&touchTask, 1, &mapped[700]);
  __cilk2gpu_execute();
  return print(mapped[700]);
}

/// Runs n tasks at once that ask the host.
static int runAsk(int32_t n) {
  int64_t results[64] = {};
  for (int32_t i = 0; i < n; ++i)
    enqueue(&askTask, n == 1 ? 99 : n == 2 ? 98 : i, &results[i]);
  __cilk2gpu_execute();
  int64_t sum = 0;
  for (int64_t each : results)
    sum += each;
  return print(sum);
}

static void *hostThread(void *) {
  for (int32_t i = 0; i < 10; ++i)
    if (call(&fibTask, 8 + i % 3) != fib.plain(8 + i % 3).result)
      return reinterpret_cast<void *>(1);
  return nullptr;
}

static int runThreads(int32_t n) {
  pthread_t threads[16];
  void *failed = nullptr;
  for (int32_t i = 0; i < n; ++i)
    pthread_create(&threads[i], nullptr, hostThread, nullptr);
  for (int32_t i = 0; i < n; ++i) {
    void *each = nullptr;
    pthread_join(threads[i], &each);
    failed = each ? each : failed;
  }
  return failed != nullptr;
}

/// Runs a graph in a forked child, after the parent did or, with `first`, before.
static int runFork(bool first, int32_t n) {
  if (!first)
    call(&fibTask, n);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0)
    exit(print(call(&fibTask, n)));
  int status = 1;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status) || print(call(&fibTask, n + 1));
}

int main(int argc, char **argv) {
  const char *command = argc > 1 ? argv[1] : "";
  int32_t n = argc > 2 ? atoi(argv[2]) : 0;
  auto is = [&](const char *name) { return !strcmp(command, name); };
  if (is("fib"))
    return print(call(&fibTask, n));
  if (is("loop"))
    return print(call(&loopTask, n));
  if (is("touch"))
    return print(call(&touchTask, n, 5));
  if (is("ask"))
    return runAsk(n);
  if (is("stack"))
    return print(call(&askTask, n));
  if (is("interrupt"))
    return print(call(&interruptTask, n));
  if (is("missing"))
    return print(call(&missingTask, n));
  if (is("host"))
    return print(call(&hostTask, n, 5));
  if (is("memory"))
    return runMemory();
  if (is("read-only"))
    return runReadOnly();
  if (is("file"))
    return runFile();
  if (is("threads"))
    return runThreads(n);
  if (is("fork"))
    return runFork(false, n);
  if (is("fork-first"))
    return runFork(true, n);
  if (is("sync"))
    __cilk2gpu_execute();
  if (is("sync") || is("nothing"))
    return 0;
  return 2;
}
