// The functions that <cilk2gpu/Graph.h> declares.
#include "api/Host.h"
#include "executors/model/ModelExecutor.h"
#include "graph/GpuForGraphs.h"
#include "graph/GraphDevice.h"
#include "process/HostEnvironment.h"
#include "process/Message.h"
#include "process/TaskScope.h"

#include <new>
#include <stdlib.h>

namespace cilk2gpu {

using namespace cilk2gpu::rt;

static GraphDevice *runningGraph = nullptr; ///< set atomically when a run begins, so that a run on another thread is
                                            ///< refused

static GraphDevice &inKernel() {
  if (!runningGraph)
    fatal("talloc, enq, deq, tfree and levelOf are for kernels of a graph that runs");
  if (!runningGraph->isInKernel())
    fatal(
        "talloc, enq, deq, tfree or levelOf is called by a function that the host runs for a kernel on the GPU, "
        "because "
        "no image has a version of it; compile its file with cilk2gpu++ --offload-arch, or use CILK2GPU_DEVICE=native");
  return *runningGraph;
}

static GraphDevice &deviceOf(void *graph) { return *static_cast<GraphDevice *>(graph); }

static uint64_t checkedLevel(int level) {
  if (level < 0 || level >= tunables::kMaxGraphLevels)
    fatal("level %d was asked for; levels are 0 to %d", level, tunables::kMaxGraphLevels - 1);
  return uint64_t(level);
}

/// A negative count becomes a huge number, which is refused.
void *talloc(int id, int count) {
  GraphNode &node = inKernel().node(id);
  return inKernel().talloc(node, node.isStack() ? inKernel().currentLevel() : 0, uint64_t(count));
}
void *talloc(int id, int level, int count) {
  return inKernel().talloc(inKernel().node(id), checkedLevel(level), uint64_t(count));
}
void enq(int id, void *elements) { inKernel().enq(inKernel().node(id), elements); }
void *deq(int id, int offset) { return inKernel().deq(id, offset); }
void tfree(int id, int offset) { inKernel().tfree(id, offset); }
int levelOf(int id, int offset) { return int(inKernel().level(id, offset)); }

namespace graph {

template <class T> static void *place() {
  void *memory = nullptr;
  if (posix_memalign(&memory, alignof(T), sizeof(T)))
    fatal("out of memory: %zu bytes for a graph could not be allocated", sizeof(T));
  return memory;
}

/// Returns whether statistics or a trace were requested, so that reports are kept until the program ends.
static bool areReportsWanted() { return settings().statistics || settings().trace; }

/// Reports failures. The messages differ from other graphs', because the program sets the widths of channels, not an
/// environment variable.
static void failOfGraph(void *context, const Failure &failure) {
  if (failure.kind == FailureKind::OutOfMemory)
    fatal("out of memory: %llu bytes for %s of a graph could not be allocated; narrower channels need less",
          static_cast<unsigned long long>(failure.value), failure.what);
  failOnHost(context, failure);
}

static Environment graphEnvironment() {
  Environment environment = hostEnvironment();
  environment.fail = failOfGraph;
  return environment;
}

/// Returns the device that graphs run on. A graph has no serial elision. `auto` takes no GPU for graphs: it cannot know
/// whether the compiler has seen their kernels.
static Device chosenDevice() {
  Device device = settings().device;
  return device == Device::Serial || device == Device::Auto ? Device::Native : device;
}

/// Returns the GPU that runs graphs; null if none does. The first call opens it. Ends the process if the program has no
/// code for it.
static GpuForGraphs *gpuForGraphs() {
  static GpuForGraphs *gpu = nullptr;
  if (!gpu && traitsOf(chosenDevice()).isGpu)
    gpu = new (place<GpuForGraphs>()) GpuForGraphs(*startedGpu(), settings().memoryCap);
  return gpu;
}

/// Returns how many threads run kernels of a graph that asked for so many; 0: as many as other graphs have workers.
static uint32_t workersFor(unsigned asked) {
  if (asked > tunables::kMaxWorkers)
    fatal("a graph asked for %u workers; graphs have 1 to %u, or 0 for as many as CILK2GPU_WORKERS says", asked,
          tunables::kMaxWorkers);
  return asked ? asked : settings().workers;
}

void *create(unsigned workers) {
  static const Environment environment = graphEnvironment();
  startHost();
  const Settings &chosen = settings();
  uint64_t events = chosen.trace ? tunables::kTraceEvents : 0;
  auto *report = new (place<GraphReport>()) GraphReport(environment, events);
  if (areReportsWanted())
    keepReport(*report);
  GpuForGraphs *gpu = gpuForGraphs();
  uint32_t wave = gpu ? gpu->kernel.device().waveSize() : chosen.limits.wave;
  return new (place<GraphDevice>()) GraphDevice(environment, chosenDevice(), machineSettings(chosen),
                                                workersFor(workers), wave, chosen.doneCount, *report, gpu);
}

void destroy(void *graph) {
  GraphDevice &device = deviceOf(graph);
  GraphReport &report = device.reported();
  device.destroy();
  free(graph);
  if (areReportsWanted())
    return;
  report.destroy(hostEnvironment());
  free(&report);
}

int addChannel(void *graph, size_t bytes, uint64_t width, bool isStack) {
  GraphNode &node = deviceOf(graph).addNode(bytes, width, isStack);
  if (GpuForGraphs *gpu = gpuForGraphs())
    gpu->expect(width, bytes);
  return node.id;
}

void connect(void *graph, int channel, Invoke invoke, void *kernel, const void *function) {
  GraphNode &node = deviceOf(graph).node(channel);
  if (!kernel)
    fatal("channel %d was connected to a null pointer; make a node with Graph::KernelNode", channel);
  if (node.invoke)
    fatal("channel %d is connected to a kernel node already; exactly one consumes it", channel);
  node.invoke = invoke;
  node.kernel = kernel;
  node.function = function;
}

void setPredicate(void *graph, int channel, GraphPredicate predicate, void *context) {
  GraphNode &node = deviceOf(graph).node(channel);
  node.predicate = predicate;
  node.predicateContext = context;
}

void setReadiness(void *graph, int channel, GraphReadiness readiness) {
  GraphDevice &device = deviceOf(graph);
  device.setReadiness(device.node(channel), readiness);
}

void setScheduler(void *graph, GraphScheduler scheduler, void *context) {
  deviceOf(graph).setScheduler(scheduler, context);
}

void *hostTalloc(void *graph, int channel, int level, int count) {
  GraphDevice &device = deviceOf(graph);
  return device.talloc(device.node(channel), checkedLevel(level), uint64_t(count));
}

void hostEnq(void *graph, int channel, void *elements) {
  GraphDevice &device = deviceOf(graph);
  device.enq(device.node(channel), elements);
}

/// Runs the graph on the calling thread.
static void runHere() {
  TaskScope inside(runningGraph->memory()); // a kernel that calls a Cilk function runs its serial elision
  runningGraph->run();
  runningGraph->reported();
}

void run(void *graph) {
  GraphDevice *none = nullptr;
  // Relaxed: it only matters that one of two runs is refused.
  if (!__atomic_compare_exchange_n(&runningGraph, &none, &deviceOf(graph), false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    fatal("a graph was executed while another one runs; one runs at a time");
  if (gpuForGraphs() && insideTask())
    fatal(
        "a task on the GPU calls a function of the host that executes a graph written by hand; execute it outside the "
        "tasks, or use CILK2GPU_DEVICE=native");
  if (gpuForGraphs()) {
    HostTurn turn; // tasks and graphs use the GPU one after the other
    runHere();
  } else {
    runHere();
  }
  runningGraph = nullptr;
}

GraphStatistics statistics(const void *graph) {
  const GraphCounters &c = static_cast<GraphDevice *>(const_cast<void *>(graph))->reported().counters;
  return {c.wavefronts, c.lanes, c.yields, c.cas_attempted, c.cas_failed, c.cycles, c.elements, c.memory_high_water};
}

void badArgument(int index, size_t bytes, int numArguments, size_t expected) {
  if (expected)
    fatal("argument %d of a kernel node has %zu bytes, but %zu were given", index, expected, bytes);
  fatal("a kernel node has arguments 0 to %d, of which 2 and later can be set, not %d", numArguments - 1, index);
}

static const char *nameOf(ArgumentKind kind) {
  switch (kind) {
  case ArgumentKind::Integer:
    return "an integer";
  case ArgumentKind::FloatingPoint:
    return "a floating-point number";
  case ArgumentKind::Pointer:
    return "a pointer";
  case ArgumentKind::Other:
    return "an object";
  }
  __builtin_unreachable();
}

void badArgumentKind(int index, ArgumentKind kind, ArgumentKind expected) {
  fatal("argument %d of a kernel node is %s, but %s was given, which setConstArg does not convert", index,
        nameOf(expected), nameOf(kind));
}

void missingArgument(int channel, int index) {
  fatal("argument %d of the kernel node of channel %d is not set; set it with setConstArg before the graph is executed",
        index, channel);
}

} // namespace graph
} // namespace cilk2gpu
