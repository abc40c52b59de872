// The functions that the compiled part of the program calls (cilk2gpu/abi/Records.h). The compiled part registers its
// channel-flow graph and its images, puts root elements into channels, and runs the graph. This file is a part of
// programs written by --emit=hip.
//
//   program/*.o -> __cilk2gpu_register         the graph's tasks, channels' layouts and kernels, before main
//               -> __cilk2gpu_root, _publish   an element in a channel of level 0
//               -> __cilk2gpu_execute          the aggregator's loop (core/Scheduler.cpp), until all are empty
//   the loop    -> executors/gpu/Gpu.cpp       a launch for each dispatch -> Hip.cpp
//
// With CILK2GPU_AGGREGATOR=persistent, the loop runs in a kernel of the images. Programs written with
// -foffload-persistent have this kernel. A run of the graph is one launch:
//
//   program/*.o -> __cilk2gpu_execute             executors/gpu/PersistentGpu.cpp: grid, memory, both sides' record
//                                                 (device/PersistentRecord.h) -> Hip.cpp
//   the kernel  -> device/PersistentWavefront.h   compiled, in images/: its first wavefront runs the aggregator's loop
//                                                 and feeds the others through a board (device/Board.h)
//
// Thread-safety: host threads take turns. A turn lasts while a thread fills a root, and while it runs the graph.
#include "core/Scheduler.h"
#include "core/Tunables.h"
#include "executors/gpu/PersistentGpu.h"
#include "process/HostEnvironment.h"
#include "process/Interrupt.h"
#include "process/Message.h"
#include "process/PolicyChoice.h"
#include "process/RequestServer.h"
#include "process/SpawnObjects.h"

#include <new>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

using namespace cilk2gpu;
using namespace cilk2gpu::rt;

namespace {

/// Reads a number from the environment, which K, M or G may follow. Returns 0 if the variable is not set.
uint64_t readNumber(const char *variable, uint64_t most) {
  const char *text = getenv(variable);
  if (!text)
    return 0;
  char *end = nullptr;
  uint64_t value = strtoull(text, &end, 10), unit = 1;
  for (const char *units = "KMG"; *end && unit < (1u << 30); ++units) {
    unit *= 1024;
    if (*end == *units && !end[1])
      break;
  }
  bool isNumber = *text >= '0' && *text <= '9' && strlen(text) < 20 && (!*end || (strchr("KMG", *end) && !end[1]));
  if (!isNumber || value < 1 || value > most / (*end ? unit : 1))
    fatal("%s=%s is not valid; allowed are 1 to %llu, also with K, M or G", variable, text,
          static_cast<unsigned long long>(most));
  return *end ? value * unit : value;
}

/// Returns whether the aggregator's loop runs on the device.
bool isPersistent() {
  const char *place = getenv("CILK2GPU_AGGREGATOR");
  if (place && strcmp(place, "host") && strcmp(place, "persistent"))
    fatal("CILK2GPU_AGGREGATOR=%s is not valid; allowed are host, persistent", place);
  return place && *place == 'p';
}

PolicyKind readPolicy() {
  const char *name = getenv("CILK2GPU_POLICY");
  const Policy *wanted = name ? findPolicy(name) : nullptr;
  if (name && !wanted)
    fatal("CILK2GPU_POLICY=%s is not valid; allowed: %s", name, kPolicyNames.text);
  return choosePolicy(wanted, Device::Hip);
}

/// Allocates memory for a T that is never freed.
template <typename T> void *memoryFor(const Environment &environment) {
  void *memory = environment.allocate(environment.context, sizeof(T), alignof(T));
  if (!memory)
    fatal("out of memory: %zu bytes for the aggregator could not be allocated", sizeof(T));
  return memory;
}

/// The scheduler and its environment. They are in the environment's own memory, because a persistent kernel uses both.
struct Aggregator {
  Aggregator(const Environment &environment, const Limits &limits)
      : environment(environment), scheduler(this->environment, limits) {}
  Environment environment;
  Scheduler scheduler;
};

thread_local bool hasTurn = false, insideRun = false;

class Program {
public:
  void add(const abi::GraphRecord &graph);
  abi::Cursor *root(abi::TaskRecord *record);
  void publish();
  void execute();

  SpawnObjects objects{nullptr};

private:
  void start();
  Limits readLimits();
  void run();
  abi::Cursor *place(const TaskInfo *task);
  TaskInfo *find(abi::TaskRecord *record);

  pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER, registry = PTHREAD_MUTEX_INITIALIZER;
  Environment environment = hostEnvironment();
  TaskTable tasks{environment};
  device::Gpu gpu{device::hipDriver()};
  MemoryBudget budget{};
  Aggregator *aggregator = nullptr;        ///< null until a device is opened
  device::PersistentGpu *kernel = nullptr; ///< null: each dispatch is a launch
  bool hasRoots = false;
  pid_t process = 0; ///< the process that opened the device
};

/// Returns the program. It is built on first use, which may be before main, and never destroyed, because exit handlers
/// may run graphs.
Program &program() {
  alignas(Program) static unsigned char storage[sizeof(Program)];
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, [] { new (storage) Program; });
  return *std::launder(reinterpret_cast<Program *>(storage));
}

} // namespace

/// This program has no thread that serves signals.
bool cilk2gpu::rt::isServingSignals() { return false; }

//===--------------------------------------------------------------------------------------------------------------===//
// The graph
//===--------------------------------------------------------------------------------------------------------------===//

void Program::add(const abi::GraphRecord &graph) {
  pthread_mutex_lock(&registry);
  if (graph.policy)
    suggestPolicy(graph.policy, graph.module);
  for (uint64_t i = 0; i < graph.numTasks; ++i)
    tasks.add(graph.tasks[i]);
  pthread_mutex_unlock(&registry);
}

TaskInfo *Program::find(abi::TaskRecord *record) {
  pthread_mutex_lock(&registry);
  TaskInfo *task = tasks.add(record);
  pthread_mutex_unlock(&registry);
  return task;
}

/// Reads the width of channels, and the memory that all of them may take together.
Limits Program::readLimits() {
  Limits limits = {gpu.waveSize(), tunables::kDeviceWidth, tunables::kDeviceLevelBytes};
  limits.block = tunables::kDeviceBlock;
  limits.policy = readPolicy();
  if (uint64_t width = readNumber("CILK2GPU_WIDTH", tunables::kMaxWidth)) {
    limits.width = width;
    limits.isWidthGiven = true;
    limits.levelBytes = 0;
  }
  uint64_t cap = readNumber("CILK2GPU_MEM_CAP", ~uint64_t(0)),
           most = gpu.freeMemory() / 4 * tunables::kDeviceMemoryQuarters;
  budget = cap && cap <= most ? MemoryBudget{cap} : MemoryBudget{most, 0, "the device's free memory", true};
  return limits;
}

/// Opens the device and sets up the aggregator, which is never destroyed, because exit handlers may run graphs.
void Program::start() {
  if (aggregator && process != getpid())
    gpu.lose();
  gpu.checkNotLost();
  if (aggregator)
    return;
  bool persistent = isPersistent();
  device::Reason why;
  if (!gpu.open(nullptr, readNumber("CILK2GPU_DEVICE_STACK", tunables::kMaxDeviceStack), persistent, why))
    fatal("%s", why.text);
  process = getpid();
  Limits limits = readLimits();
  Environment own = environment;
  own.device = gpu.hooks();
  own.budget = &budget;
  if (persistent) {
    auto workers = uint32_t(readNumber("CILK2GPU_WORKERS", tunables::kMaxWorkers));
    kernel = new (memoryFor<device::PersistentGpu>(environment)) device::PersistentGpu(gpu, limits, budget, workers);
    own = kernel->environment();
  }
  aggregator = new (memoryFor<Aggregator>(own)) Aggregator(own, limits);
}

void Program::run() {
  if (!hasRoots)
    return;
  hasRoots = false;
  insideRun = true;
  gpu.beginRun();
  if (kernel)
    kernel->run(aggregator->scheduler, aggregator->environment);
  else
    aggregator->scheduler.run(/*base=*/0);
  gpu.endRun();
  insideRun = false;
}

/// Returns a cursor with room for a root; null if the channel is full. A persistent kernel has its own table of tasks.
abi::Cursor *Program::place(const TaskInfo *task) {
  return aggregator->scheduler.root(kernel ? kernel->find(task) : task);
}

abi::Cursor *Program::root(abi::TaskRecord *record) {
  TaskInfo *task = find(record);
  pthread_mutex_lock(&turn);
  start();
  abi::Cursor *cursor = place(task);
  if (!cursor) {
    run();
    cursor = place(task);
  }
  hasTurn = true;
  return cursor;
}

void Program::publish() {
  hasRoots = true;
  hasTurn = false;
  pthread_mutex_unlock(&turn);
}

void Program::execute() {
  pthread_mutex_lock(&turn);
  start();
  run();
  pthread_mutex_unlock(&turn);
}

//===--------------------------------------------------------------------------------------------------------------===//
// Entry points
//===--------------------------------------------------------------------------------------------------------------===//

extern "C" {

void __cilk2gpu_link_this_program_with_the_command_cilk2gpu() {}

void __cilk2gpu_register(const abi::GraphRecord *graph) {
  if (graph->magic != abi::kMagic || graph->version != abi::kAbiVersion)
    failOnHost(nullptr, {FailureKind::BadVersion, "module", graph->module, graph->version});
  program().add(*graph);
}

/// Returns whether a call of a Cilk function runs the elision. It does while the host serves a task's request.
int32_t __cilk2gpu_serial(void) { return insideRun; }

abi::Cursor *__cilk2gpu_root(abi::TaskRecord *task) {
  if (insideRun || hasTurn)
    internalError("a root was enqueued inside a run");
  return program().root(task);
}
void __cilk2gpu_publish(abi::Cursor *) { program().publish(); }
void __cilk2gpu_execute(void) { program().execute(); }

void *__cilk2gpu_objects(uint64_t bytes, uint64_t align) { return program().objects.allocate(bytes, align); }
void __cilk2gpu_release_objects(void *block) { program().objects.release(block); }

void __cilk2gpu_exception() {
  endIfOutOfMemory();
  fatal("a task ends by returning; an exception was about to leave one");
}
int32_t __cilk2gpu_personality(int32_t, int32_t, uint64_t, void *, void *) { __cilk2gpu_exception(); }

// Inlets of the MIT dialect: the only thread runs one at a time.
void __cilk2gpu_begin_inlet(void) {}
void __cilk2gpu_end_inlet(void) {}

// <cilk/cilk_api.h>: the only worker is the thread that runs the graph.
unsigned __cilkrts_get_nworkers(void) { return 1; }
unsigned __cilkrts_get_total_workers(void) { return 1; }
unsigned __cilkrts_get_worker_number(void) { return 0; }
int __cilkrts_running_on_workers(void) { return insideRun; }
int __cilkrts_set_param(const char *name, const char *value) {
  if (!name || !value || strcmp(name, "nworkers") || *value < '0' || *value > '9')
    return name && (!strcmp(name, "stack size") || !strcmp(name, "force reduce")) ? 1 : 3;
  return strtoull(value, nullptr, 0) > 1 ? 2 : 0;
}
int __cilkrts_is_initialized(void) { return 1; }
void __cilkrts_init(void) {}
void __cilkrts_end_cilk(void) {}
}
