// A program as the compiler would make it, for tests of the parts of a process: environment variables, statistics, exit
// statuses, host threads, fork. It is linked by the C driver, which proves that the runtime needs no C++ library.
// Usage: probe COMMAND [N]; unknown commands exit with 2.
#include "Programs.h"
#include "cilk2gpu/abi/Image.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

using namespace cilk2gpu;
using namespace cilk2gpu::test;

extern "C" unsigned __cilkrts_get_nworkers(void);

// ThreadSanitizer would otherwise end forked children that start threads.
extern "C" const char *__tsan_default_options() { return "die_after_fork=0"; }

/// The code that the compiler generates under the C name of a Cilk function.
static int64_t call(const Program &program, int32_t argument) {
  if (__cilk2gpu_serial())
    return program.plain(argument).result;
  int64_t result = -1;
  abi::Cursor *root = __cilk2gpu_root(program.root);
  static_cast<int32_t *>(root->columns[0])[root->next] = argument;
  static_cast<int64_t **>(root->columns[1])[root->next] = &result;
  ++root->next;
  __cilk2gpu_publish(root);
  __cilk2gpu_execute();
  return result;
}

/// A task that runs `action` in each lane.
static void (*action)(int32_t argument, int64_t *result);
static void actionRun(abi::Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane)
    action(load<int32_t>(wave, lane, 0), load<int64_t *>(wave, lane, 1));
}
static void actionLane(abi::Wave *wave, uint64_t lane, uint32_t) {
  action(load<int32_t>(wave, uint32_t(lane), 0), load<int64_t *>(wave, uint32_t(lane), 1));
}
static const abi::FieldRecord actionFields[] = {{4, 4}, {8, 8}};
static const abi::KernelRecord actionKernels[] = {{.name = "action:\"0\"", .run = actionRun, .lane = actionLane}};
static abi::TaskRecord actionTask = {.name = "action",
                                     .location = "a\\b.c:1:1",
                                     .fields = actionFields,
                                     .kernels = actionKernels,
                                     .numFields = 2,
                                     .numKernels = 1};
static const Program actionProgram = {"action", &actionTask, [](int32_t) { return Expected{-2, 0, 0}; }};

static int runFib(int32_t n) {
  printf("%lld\n", static_cast<long long>(call(fib, n)));
  return 0;
}

static int runRoots(int32_t n) {
  int64_t *results = static_cast<int64_t *>(calloc(size_t(n), sizeof(int64_t)));
  for (int32_t i = 0; i < n; ++i) {
    abi::Cursor *root = __cilk2gpu_root(mutual.root);
    static_cast<int32_t *>(root->columns[0])[root->next] = i % 10;
    static_cast<int64_t **>(root->columns[1])[root->next] = &results[i];
    ++root->next;
    __cilk2gpu_publish(root);
  }
  __cilk2gpu_execute();
  for (int32_t i = 0; i < n; ++i)
    if (results[i] != mutual.plain(i % 10).result)
      return 1;
  return 0;
}

static void *hostThread(void *) {
  for (int32_t i = 0; i < 100; ++i)
    if (call(fib, 10 + i % 10) != fib.plain(10 + i % 10).result || call(loop, i) != loop.plain(i).result)
      return reinterpret_cast<void *>(1);
  return nullptr;
}

static int runThreads(int32_t n) {
  pthread_t threads[16];
  for (int32_t i = 0; i < n; ++i)
    pthread_create(&threads[i], nullptr, hostThread, nullptr);
  for (int32_t i = 0; i < n; ++i) {
    void *failed = nullptr;
    pthread_join(threads[i], &failed);
    if (failed)
      return 1;
  }
  return 0;
}

static int runFork(int32_t n) {
  for (int32_t i = 0; i < 5; ++i) {
    if (call(fib, n) != fib.plain(n).result)
      return 1;
    pid_t child = fork();
    if (child == 0)
      exit(call(fib, n - 1) == fib.plain(n - 1).result ? 0 : 1);
    int status = 1;
    waitpid(child, &status, 0);
    if (status)
      return 1;
  }
  return 0;
}

static int runInTask(void (*what)(int32_t, int64_t *), int32_t n) {
  action = what;
  printf("%lld\n", static_cast<long long>(call(actionProgram, n)));
  return 0;
}

/// A child process that continues its parent's graph.
static void forkInTask(int32_t, int64_t *result) {
  pid_t child = fork();
  int status = 0;
  if (child)
    waitpid(child, &status, 0);
  *result = child ? status >> 8 : -1;
}

/// Sends the process a signal, as Ctrl-C does, whichever of its threads runs the task. The task does not end by itself.
static void interruptInTask(int32_t n, int64_t *) {
  kill(getpid(), n);
  for (;;)
    pause();
}

/// Sends the process a signal and runs on for two seconds.
static void signalAndGoOn(int32_t n, int64_t *result) {
  if (n)
    kill(getpid(), n);
  timespec start, now;
  clock_gettime(CLOCK_MONOTONIC, &start);
  do {
    usleep(10000);
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while (now.tv_sec - start.tv_sec < 2 || now.tv_nsec < start.tv_nsec);
  *result = n;
}

/// A task that waits for a thread that calls a function with tasks.
static void joinInTask(int32_t n, int64_t *result) {
  struct Job {
    int32_t n;
    int64_t result;
  } job = {n, 0};
  pthread_t thread;
  auto run = [](void *argument) -> void * {
    auto &job = *static_cast<Job *>(argument);
    for (int32_t i = 0; i < 50; ++i)
      job.result = call(fib, job.n);
    return nullptr;
  };
  pthread_create(&thread, nullptr, run, &job);
  pthread_join(thread, nullptr);
  *result = job.result;
}

/// A child process that a signal ends while its parent continues.
static int interruptChild(int32_t number) {
  call(fib, 10);
  pid_t child = fork();
  if (child == 0)
    for (;;)
      pause();
  kill(child, number);
  int status = 0;
  waitpid(child, &status, 0);
  printf("child ended by %d\n", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
  return 0;
}

/// Runs without address space for the stacks of threads. No task runs before the limit is set, because a worker might
/// already start its thread for it.
static int runWithoutThreads(int32_t n) {
  rlimit stack = {uint64_t(1) << 47, RLIM_INFINITY};
  setrlimit(RLIMIT_STACK, &stack);
  return runFib(n);
}

static int runOutOfMemory(int32_t) {
  rlimit limit = {uint64_t(256) << 20, uint64_t(256) << 20};
  setrlimit(RLIMIT_AS, &limit);
  return runFib(0) || call(loop, 2000000000) == 0;
}

static int registerBad(uint32_t magic, uint32_t version) {
  const abi::GraphRecord bad = {.magic = magic, .version = version, .module = "other.c"};
  __cilk2gpu_register(&bad);
  return 0;
}

static int registerBadImage(uint32_t magic, uint32_t version) {
  const abi::ImageRecord bad = {magic, version, abi::ImageKind::Nvptx, 32, "sm_90", "", 1, nullptr, 0};
  __cilk2gpu_register_image(&bad);
  return 0;
}

static abi::TaskRecord *const tasks[] = {&fibTask, &loopTask, &actionTask};
static const abi::GraphRecord graph = {.module = "probe.c", .tasks = tasks, .numTasks = 3};
__attribute__((constructor)) static void registerGraph() {
  __cilk2gpu_register(&graph);
  __cilk2gpu_register(&graph);
}

int main(int argc, char **argv) {
  const char *command = argc > 1 ? argv[1] : "";
  int32_t n = argc > 2 ? atoi(argv[2]) : 0;
  auto is = [&](const char *name) { return !strcmp(command, name); };
  if (is("fib"))
    return runFib(n);
  if (is("roots"))
    return runRoots(n);
  if (is("threads"))
    return runThreads(n);
  if (is("fork"))
    return runFork(n);
  if (is("workers"))
    return printf("%u\n", __cilkrts_get_nworkers()) < 0;
  if (is("exit"))
    return n;
  if (is("call-in-task"))
    return runInTask([](int32_t n, int64_t *result) { *result = call(fib, n); }, n);
  if (is("join-in-task"))
    return runInTask(joinInTask, n);
  if (is("exit-in-task"))
    return runInTask([](int32_t n, int64_t *) { exit(n); }, n);
  if (is("hang-in-task"))
    return runInTask([](int32_t, int64_t *) { pause(); }, n);
  if (is("signal-in-task"))
    return runInTask(interruptInTask, n);
  if (is("go-on-in-task"))
    return runInTask(signalAndGoOn, n);
  if (is("go-on")) { // without a task
    int64_t result;
    signalAndGoOn(n, &result);
    return 0;
  }
  if (is("fork-in-task"))
    return runInTask(forkInTask, n);
  if (is("execute-in-task"))
    return runInTask([](int32_t, int64_t *) { __cilk2gpu_execute(); }, n);
  if (is("root-in-task"))
    return runInTask([](int32_t, int64_t *) { __cilk2gpu_root(fib.root); }, n);
  if (is("system-in-task"))
    return runInTask([](int32_t n, int64_t *result) { *result = system("exit 3") + n; }, n);
  if (is("execute-with-turn")) {
    __cilk2gpu_root(fib.root);
    __cilk2gpu_execute();
  }
  if (is("interrupt-child"))
    return interruptChild(n);
  if (is("no-threads"))
    return runWithoutThreads(n);
  if (is("out-of-memory"))
    return runOutOfMemory(n);
  if (is("version"))
    return registerBad(abi::kMagic, 99);
  if (is("image-version"))
    return registerBadImage(abi::kMagic, 99);
  if (is("image-magic"))
    return registerBadImage(7, abi::kAbiVersion);
  if (is("magic"))
    return registerBad(7, abi::kAbiVersion);
  return 2;
}
