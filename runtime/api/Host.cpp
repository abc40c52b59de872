// The functions that compiled programs call: registration, roots, and running the graph.
//
// Host threads take turns: a thread has the turn from __cilk2gpu_root to __cilk2gpu_publish, and while it runs the
// graph.
//
// The runtime's state is built on first use. Static constructors would be too late: constructors of the program
// register graphs, and may run before them. The state is never destroyed, because exit handlers may still run graphs.
#include "api/Host.h"
#include "api/Engine.h"
#include "api/RunState.h"
#include "api/Statistics.h"
#include "api/TraceFile.h"
#include "api/Watchdog.h"
#include "blocks/BlockObserver.h"
#include "blocks/BlockReport.h"
#include "check/RaceCheck.h"
#include "cilk2gpu/abi/BlockRecords.h"
#include "cilk2gpu/abi/Exceptions.h"
#include "core/FillStack.h"
#include "core/TaskLocals.h"
#include "executors/gpu/DeviceChoice.h"
#include "graph/GraphDevice.h"
#include "process/FrameRange.h"
#include "process/HostEnvironment.h"
#include "process/HostSteps.h"
#include "process/Interrupt.h"
#include "process/KeepLoaded.h"
#include "process/Lock.h"
#include "process/Message.h"
#include "process/OutputFile.h"
#include "process/PolicyChoice.h"
#include "process/RequestServer.h"
#include "process/Settings.h"
#include "process/StackFaults.h"
#include "process/TaskScope.h"

#include <errno.h>
#include <new>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <utility>

// The exceptions that a thread has caught, of the C++ library. Programs in C do not have it.
extern "C" cilk2gpu::abi::CaughtExceptions *__cxa_get_globals(void) __attribute__((weak));

extern "C" [[gnu::visibility("default")]] int __cilkrts_running_on_workers(void);

namespace cilk2gpu::rt {
namespace {

/// A reference to the functions of <cilk/cilk_api.h>. A program and each of its shared libraries contain the parts of
/// the runtime that they use, and a call goes to the first of these objects that has the function. So an object with a
/// runtime must have all functions that use the runtime's state, including those of hand-written graphs and thread
/// blocks. Otherwise they would be called in another object, with another state.
[[gnu::used]] int (*const cilkApi)(void) = __cilkrts_running_on_workers;
[[gnu::used]] void *(*const graphApi)(unsigned) = graph::create;
[[gnu::used]] const auto wireframeApi = wf_launch_graph;
[[gnu::used]] const auto blocksApi = __cilk2gpu_launch_blocks;

/// Keeps the library loaded. Functions of <cilk/cilk_api.h> may start its workers before it registers a graph, or
/// without a graph.
[[gnu::constructor]] void keepRuntimeLoaded() { keepLoaded(&cilkApi); }

/// Begins the check of CILK2GPU_CHECK before the constructors of the program run.
[[gnu::constructor(101)]] void checkRaces() { checkRacesIfAsked(); }

/// Returns the environment of the table of tasks, for the device and the instruction sets that the user wants.
Environment processEnvironment() {
  Environment environment = hostEnvironment();
  KernelForm form = traitsOf(settings().device).kernels;
  environment.isas &= form == KernelForm::Scalar ? 0 : settings().isas;
  environment.needsLanes = form == KernelForm::Lanes;
  return environment;
}

/// Who writes the statistics and the trace.
enum class FileWriter : uint8_t {
  None,        ///< nobody so far
  ExitHandler, ///< the exit handler, which may have finished
  Signal,      ///< the thread that serves signals; the process ends by the signal afterwards
};

struct Runtime {
  pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_t registry = PTHREAD_MUTEX_INITIALIZER; ///< guards `tasks`; must not be held while a thread waits for
                                                        ///< `turn`
  Environment environment = processEnvironment();
  TaskTable tasks{environment};
  Engine engine{settings()};
  pid_t process = getpid();             ///< the process that writes statistics
  FileWriter writer = FileWriter::None; ///< atomic
  const char *units[2] = {};            ///< a unit without pedigrees, and one with them; guarded by `registry`
};

alignas(Runtime) unsigned char storage[sizeof(Runtime)];
thread_local bool hasTurn = false;
thread_local bool lockedForFork = false;
thread_local bool isStarting = false; ///< this thread starts the engine

Runtime &instance() { return *std::launder(reinterpret_cast<Runtime *>(storage)); }

/// Makes the caller the writer of the files. Returns the writer before, who stays if it was not None.
FileWriter claimFiles(Runtime &runtime, FileWriter writer) {
  FileWriter before = FileWriter::None;
  // Relaxed: no other memory is handed over.
  __atomic_compare_exchange(&runtime.writer, &before, &writer, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return before;
}

/// Writes the files that the settings ask for. Returns false after a message if a file could not be written.
bool writeFiles(Runtime &runtime, RunEnd end) {
  bool isWritten = !settings().statistics || writeStatistics(settings(), runtime.tasks, runtime.engine, end);
  if (settings().trace)
    isWritten &= writeTrace(settings(), runtime.engine.executor(), end.isComplete);
  return isWritten;
}

/// Writes statistics and the trace. A child process that has run no graph of its own must not overwrite its parent's
/// file.
void writeAtExit(int status, void *) {
  Runtime &runtime = instance();
  if (getpid() != runtime.process)
    return;
  FileWriter before = claimFiles(runtime, FileWriter::ExitHandler);
  while (before == FileWriter::Signal)
    pause(); // until the signal ends the process
  if (before != FileWriter::None)
    return;
  Lock lock(runtime.registry);
  bool isGraphsOnly = (graphReports || blockReports || blockTrace()) && !runtime.tasks.first();
  if (!runtime.engine.isStarted() && !mayUseGpu(settings()) && !isGraphsOnly)
    runtime.engine.start(runtime.tasks); // statistics are also written for a run without tasks
  if (writeFiles(runtime, {}) || status != 0)
    return;
  fflush(nullptr);
  _exit(1);
}

/// Locks a mutex, unless that takes longer than a second.
bool lockSoon(pthread_mutex_t &mutex) {
  timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  ++until.tv_sec;
  return !pthread_mutex_timedlock(&mutex, &until);
}

/// Writes the files of a run that a signal ends. With the turn, no run is under way, and none begins. Returns false if
/// the exit handler writes the files: then the program ends by itself.
bool writeInterrupted(int number) {
  Runtime &runtime = instance();
  const char *happened = number == SIGINT ? "interrupted" : "terminated";
  if (claimFiles(runtime, FileWriter::Signal) != FileWriter::None)
    return false;
  Executor &executor = runtime.engine.executor();
  if (!lockSoon(runtime.registry)) {
    error("%s; no statistics or trace are written, because the device is still being started", happened);
    return true;
  }
  bool mayRun = pthread_mutex_trylock(&runtime.turn) != 0;
  if (mayRun && !executor.isReadable()) {
    error("%s; no statistics or trace are written, because the state of this device cannot be read during a run",
          happened);
    return true;
  }
  if (mayRun)
    executor.halt();
  if (writeFiles(runtime, {.isComplete = false, .mayRun = mayRun}))
    error("%s; the statistics and the trace have the run up to now (\"complete\": false)", happened);
  return true;
}

/// Calls a function for a report during a run. Skips the report if tasks are being registered for long.
void report(void (*write)(Runtime &)) {
  Runtime &runtime = instance();
  if (!lockSoon(runtime.registry))
    return;
  write(runtime);
  pthread_mutex_unlock(&runtime.registry);
}

void reportState() {
  report([](Runtime &runtime) { writeRunState(runtime.tasks, runtime.engine); });
}

void reportProgress() {
  report([](Runtime &runtime) { writeProgressLine(runtime.tasks, runtime.engine); });
}

/// Starts the thread that serves signals, if the settings give it work.
void startSignalThread() {
  const Settings &wanted = settings();
  SignalWork work;
  if (wanted.statistics || wanted.trace)
    work.end = writeInterrupted;
  if (wanted.reportSignal) {
    work.report = reportState;
    work.reportSignal = wanted.reportSignal;
  }
  if (wanted.progressLine && wanted.device == Device::Serial) {
    warning("CILK2GPU_PROGRESS_LINE has no effect with CILK2GPU_DEVICE=serial: serial elisions count no tasks");
  } else if (wanted.progressLine) {
    work.tick = reportProgress;
    work.period = wanted.progressLine;
  }
  if (work.end || work.report || work.tick)
    serveSignals(work);
}

/// Warns before the run if its results would be lost.
void checkFile(const char *path, const char *what, const char *variable) {
  if (path && !mayWriteOutput(path))
    warning("%s cannot be written to %s (%s): %s; name another file, before a long run", what, path, variable,
            strerror(errno));
}

void installExitHandler() {
  checkFile(settings().statistics, "statistics", "CILK2GPU_STATS");
  checkFile(settings().trace, "the trace", "CILK2GPU_TRACE");
  if ((settings().statistics || settings().trace) && on_exit(writeAtExit, nullptr) != 0)
    fatal("out of memory: the handler that writes CILK2GPU_STATS and CILK2GPU_TRACE could not be installed");
}

// The forking thread takes the turn, so that no thread runs the graph in the child. If the thread already has the turn,
// or runs a task, the child continues that turn or that run. A driver may fork while this thread opens it, and so does
// NVIDIA's debugger; the thread then has the locks already.
void beforeFork() {
  if (isStarting)
    return;
  Runtime &runtime = instance();
  lockedForFork = !hasTurn && !insideTask();
  if (lockedForFork)
    pthread_mutex_lock(&runtime.turn);
  pthread_mutex_lock(&runtime.registry);
  runtime.engine.beforeFork();
}

void unlockAfterFork(Runtime &runtime) {
  pthread_mutex_unlock(&runtime.registry);
  if (lockedForFork)
    pthread_mutex_unlock(&runtime.turn);
}

void afterForkInParent() {
  if (isStarting)
    return;
  instance().engine.afterForkInParent();
  unlockAfterFork(instance());
}

void afterForkInChild() {
  if (isStarting)
    return;
  instance().engine.afterForkInChild();
  unlockAfterFork(instance());
}

void construct() {
  checkRacesIfAsked();
  startHostSteps(settings());
  new (storage) Runtime;
  if (pthread_atfork(beforeFork, afterForkInParent, afterForkInChild) != 0)
    fatal("out of memory: fork handlers could not be installed");
  installExitHandler();
  startSignalThread();
}

Runtime &runtime() {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, construct);
  return instance();
}

/// Starts the engine. The calling thread must have the turn.
void startEngine(Runtime &runtime) {
  if (runtime.engine.isStarted())
    return;
  Lock lock(runtime.registry);
  if (runtime.engine.isStarted())
    return;
  isStarting = true;
  runtime.engine.start(runtime.tasks);
  isStarting = false;
  if (runtime.engine.executor().losesCountersAtExit()) // registered last, so that this handler runs before the driver's
                                                       // handler
    installExitHandler();
}

TaskInfo *find(Runtime &runtime, abi::TaskRecord *task) {
  Lock lock(runtime.registry);
  return runtime.tasks.add(task);
}

/// Hides the exceptions that a host thread has caught from the tasks that it runs.
class HiddenHandlers {
public:
  HiddenHandlers() : thread(__cxa_get_globals ? __cxa_get_globals() : nullptr) {
    if (thread)
      kept = std::exchange(*thread, {});
  }
  ~HiddenHandlers() {
    if (thread)
      *thread = kept;
  }

private:
  abi::CaughtExceptions *thread, kept{};
};

void runGraph(Runtime &runtime) {
  Executor &executor = runtime.engine.executor();
  HiddenHandlers hidden;
  startWatchdog(settings(), &executor);
  watchRun(true);
  noteRun(settings(), true);
  executor.run();
  noteRun(settings(), false);
  watchRun(false);
}

/// Returns whether another thread has the turn and makes no progress. A task of its run may wait for this thread, or
/// for a lock that this thread holds. Waits as long as the other thread makes progress.
bool mayBeAwaited(Runtime &runtime) {
  static thread_local uint64_t stuckAt = ~uint64_t(0); // progress of the other thread at the last look
  bool isStarted = runtime.engine.isStarted();         // the executor is known when the engine is started
  if (hasTurn || (isStarted && !runtime.engine.executor().mayAwaitHost()))
    return false;
  uint64_t last = ~uint64_t(0), since = 0;
  while (pthread_mutex_trylock(&runtime.turn)) {
    uint64_t progress = runtime.engine.isStarted() ? runtime.engine.executor().progress() : 0, now = hostClock();
    if (progress == stuckAt)
      return true;
    if (progress != last)
      last = progress, since = now;
    if (now - since > tunables::kStuckAfter) {
      stuckAt = progress;
      return true;
    }
    timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += long(tunables::kStuckAfter / 8);
    until.tv_sec += until.tv_nsec / 1'000'000'000;
    until.tv_nsec %= 1'000'000'000;
    if (!pthread_mutex_timedlock(&runtime.turn, &until))
      break;
  }
  pthread_mutex_unlock(&runtime.turn);
  stuckAt = ~uint64_t(0);
  return false;
}

void refuseInsideTask(const char *what) {
  if (insideTask())
    internalError("%s from inside a task, which must use the serial elision", what);
  if (hasTurn)
    internalError("%s between __cilk2gpu_root and __cilk2gpu_publish", what);
}

} // namespace

void startHost() { runtime(); }

/// Returns the engine, started.
static Engine &startedEngine() {
  Runtime &runtime = rt::runtime();
  if (!runtime.engine.isStarted()) { // no thread runs the graph, and this thread does not have the turn
    Lock lock(runtime.turn);
    startEngine(runtime);
  }
  return runtime.engine;
}

Executor &startedExecutor() { return startedEngine().executor(); }

device::Gpu *startedGpu() { return startedEngine().gpu(); }

bool isInRuntime() { return hasTurn || isStarting || insideTask(); }

bool mayBypassGraph() {
  const Settings &user = settings();
  bool isBound = user.statistics || user.trace || user.memoryCap || user.watchdog || user.waveGiven || user.widthGiven;
  if (user.device != Device::Native || isBound || user.limits.elide != Elide::Cheaper ||
      user.limits.order != TaskOrder::Given)
    return false;
  Lock lock(runtime().registry);
  return kPolicies[uint32_t(choosePolicy(user.policy, Device::Native))].elides;
}

HostTurn::HostTurn() { pthread_mutex_lock(&runtime().turn); }
HostTurn::~HostTurn() { pthread_mutex_unlock(&runtime().turn); }

} // namespace cilk2gpu::rt

using namespace cilk2gpu;
using namespace cilk2gpu::rt;

namespace {

/// Checks that either all units have pedigrees or none has. A graph without pedigrees would lose the strands of its
/// tasks.
void checkPedigrees(const char *module, bool hasPedigrees) {
  Runtime &runtime = rt::runtime();
  Lock lock(runtime.registry);
  runtime.units[hasPedigrees] = module;
  if (runtime.units[0] && runtime.units[1])
    fatal("%s was compiled with -fcilk-pedigrees and %s without it; compile all files of the program with it",
          runtime.units[1], runtime.units[0]);
}

void registerGraph(const abi::GraphRecord *graph, bool hasPedigrees) {
  keepLoaded(graph);
  Runtime &runtime = rt::runtime();
  if (graph->magic != abi::kMagic)
    fatal("a graph descriptor has the wrong magic number %#x; compile the program again", graph->magic);
  if (graph->version != abi::kAbiVersion)
    failOnHost(nullptr, {FailureKind::BadVersion, "module", graph->module, graph->version});
  checkPedigrees(graph->module, hasPedigrees);
  Lock lock(runtime.registry);
  if (graph->policy)
    suggestPolicy(graph->policy, graph->module);
  for (uint64_t i = 0; i < graph->numTasks; ++i)
    runtime.tasks.unify(graph->tasks[i]);
  for (uint64_t i = 0; i < graph->numTasks; ++i) {
    if (graph->tasks[i]->hasNarrowDestination() && !requireFrameRange())
      fatal("the elements of %s have destinations of 32 bits, but some frames are already outside of the range that 32 "
            "bits reach; load it before the first task runs",
            graph->module);
    runtime.tasks.add(graph->tasks[i]);
  }
  if (!runtime.engine.isStarted()) // units come in any order
    runtime.tasks.unifyEarlier();
}

} // namespace

extern "C" void __cilk2gpu_link_this_program_with_the_command_cilk2gpu() {}

extern "C" void __cilk2gpu_register(const abi::GraphRecord *graph) { registerGraph(graph, /*hasPedigrees=*/false); }

extern "C" void __cilk2gpu_register_with_pedigrees(const abi::GraphRecord *graph) {
  registerGraph(graph, /*hasPedigrees=*/true);
}

extern "C" void __cilk2gpu_has_pedigrees(const char *module) { checkPedigrees(module, /*hasPedigrees=*/true); }

extern "C" int32_t __cilk2gpu_serial(void) {
  if (insideTask())
    return 1;
  if (settings().device != Device::Serial && (!hostSteps() || hostSteps()->leavesRoot()))
    return mayBeAwaited(rt::runtime());
  watchThreadStack();
  if (hostSteps())
    fillStack(hostSteps()->fill());
  return 1;
}

extern "C" void __cilk2gpu_exception() {
  endIfOutOfMemory();
  fatal("a task ends by returning; an exception was about to leave one: catch it in the task, and return an error");
}

extern "C" int32_t __cilk2gpu_personality(int32_t, int32_t, uint64_t, void *, void *) { __cilk2gpu_exception(); }

namespace {

/// An arena for storage of variable size, whose blocks are measured because the memory bound does not know them.
struct MeasuredArena {
  TaskArenaLock lock;
  Arena &arena = taskArena();

  void *allocate(uint64_t bytes, uint64_t align) {
    void *memory = arena.allocate(bytes, align);
    arena.measure(Arena::blockBytes(bytes, align));
    return memory;
  }
  void release(void *memory, uint64_t bytes, uint64_t align) {
    arena.unmeasure(Arena::blockBytes(bytes, align));
    arena.release(memory, bytes, align);
  }
};

} // namespace

extern "C" void *__cilk2gpu_local(abi::TaskLocals *locals, uint64_t bytes, uint64_t align) {
  if (void *start = takeLocal(*locals, bytes, align))
    return start; // the stack belongs to the task alone, so no lock is needed
  MeasuredArena memory;
  return allocateLocal(memory, *locals, bytes, align);
}

extern "C" void __cilk2gpu_release(abi::TaskLocals *locals, void *mark) {
  if (dropLocals(*locals, mark))
    return;
  MeasuredArena memory;
  releaseLocals(memory, *locals, mark);
}

extern "C" void *__cilk2gpu_objects(uint64_t bytes, uint64_t align) {
  return rt::runtime().engine.spawnObjects().allocate(bytes, align);
}

extern "C" void __cilk2gpu_release_objects(void *block) { rt::runtime().engine.spawnObjects().release(block); }

extern "C" void *__cilk2gpu_slot(uint64_t bytes) {
  void *slot = rt::runtime().engine.resultSlots().allocate(bytes);
  if (hostSteps() && hostSteps()->fill())
    memset(slot, hostSteps()->fill(), bytes);
  return slot;
}

extern "C" void __cilk2gpu_free_slot(void *slot, uint64_t bytes) {
  rt::runtime().engine.resultSlots().release(slot, bytes);
}

extern "C" abi::Cursor *__cilk2gpu_root(abi::TaskRecord *task) {
  refuseInsideTask("a root was enqueued");
  Runtime &runtime = rt::runtime();
  TaskInfo *info = find(runtime, task);
  pthread_mutex_lock(&runtime.turn);
  startEngine(runtime);
  Executor &executor = runtime.engine.executor();
  abi::Cursor *root = executor.root(info);
  if (!root) {
    runGraph(runtime);
    root = executor.root(info);
  }
  if (!root)
    internalError("the root channel of task '%s' is full after a run", info->name);
  hasTurn = true;
  return root;
}

extern "C" void __cilk2gpu_publish(abi::Cursor *) {
  if (!hasTurn)
    internalError("__cilk2gpu_publish without __cilk2gpu_root");
  Runtime &runtime = instance();
  runtime.engine.executor().publishRoot();
  hasTurn = false;
  pthread_mutex_unlock(&runtime.turn);
}

extern "C" void __cilk2gpu_execute(void) {
  refuseInsideTask("the graph was run");
  Runtime &runtime = rt::runtime();
  Lock lock(runtime.turn);
  startEngine(runtime);
  runGraph(runtime);
}
