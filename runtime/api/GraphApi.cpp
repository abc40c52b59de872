// The functions behind the public header.
#include "api/Host.h"
#include "executors/model/ModelExecutor.h"
#include "graph/GraphDevice.h"
#include "process/HostEnvironment.h"
#include "process/Message.h"
#include "process/NameList.h"
#include "process/TaskScope.h"

#include <new>
#include <stdlib.h>

namespace cilk2gpu {

using namespace cilk2gpu::rt;

static GraphDevice *runningGraph = nullptr; ///< atomic where a run begins, so that a run on another thread is refused

static GraphDevice &inKernel() {
  if (!runningGraph)
    fatal("talloc, enq, deq, tfree and levelOf are for kernels of a graph that runs");
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

/// Returns whether reports are kept until the program ends.
static bool areReportsWanted() { return settings().statistics || settings().trace; }

/// Reports failures. Channels' widths are set by the program, not by an environment variable.
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

/// Returns the device that graphs run on. A graph has no serial elision, and no code for GPUs that `auto` could take.
static Device chosenDevice() {
  Device device = settings().device;
  return device == Device::Serial || device == Device::Auto ? Device::Native : device;
}

/// Ends the process if graphs cannot run on the device that the user asked for.
static void checkDevice() {
  Device device = chosenDevice();
  if (findGraphMachine(device))
    return;
  NameList allowed;
  constexpr auto &last = kGraphMachines[sizeof kGraphMachines / sizeof *kGraphMachines - 1];
  for (const GraphMachineEntry &entry : kGraphMachines) {
    allowed.separator = &entry == &last ? " and " : ", ";
    allowed.add(deviceName(entry.device));
  }
  fatal("CILK2GPU_DEVICE=%s: graphs written by hand run on %s, and this program executes one; their kernels are "
        "functions "
        "of the host, which --offload-arch does not compile for GPUs yet; use CILK2GPU_DEVICE=native",
        deviceName(device), allowed.text);
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
  Device device = chosenDevice();
  return new (place<GraphDevice>())
      GraphDevice(environment, findGraphMachine(device) ? device : Device::Native, machineSettings(chosen),
                  workersFor(workers), chosen.limits.wave, chosen.doneCount, *report);
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
  return deviceOf(graph).addNode(bytes, width, isStack).id;
}

void connect(void *graph, int channel, Invoke invoke, void *kernel) {
  GraphNode &node = deviceOf(graph).node(channel);
  if (!kernel)
    fatal("channel %d was connected to a null pointer; make a node with Graph::KernelNode", channel);
  if (node.invoke)
    fatal("channel %d is connected to a kernel node already; exactly one consumes it", channel);
  node.invoke = invoke;
  node.kernel = kernel;
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

void run(void *graph) {
  checkDevice();
  GraphDevice *none = nullptr;
  // Relaxed: it only matters that one of two runs is refused.
  if (!__atomic_compare_exchange_n(&runningGraph, &none, &deviceOf(graph), false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    fatal("a graph was executed while another one runs; one runs at a time");
  TaskScope inside(runningGraph->memory()); // a kernel that calls a Cilk function runs its serial elision
  runningGraph->run();
  runningGraph->reported();
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
