// Runs channel-flow graphs that were written by hand (include/cilk2gpu/Graph.h), with the channels that compiled programs
// have on the modelled machine. Its parts:
//
//   GraphChannels     nodes and channels: what is in them, and which of them may run
//   GraphWaves        wavefronts and the calls of their kernels
//   GraphAggregator   the decisions: what is freed, restarted and dispatched next
//   GraphMachine      where and when wavefronts run; CILK2GPU_DEVICE chooses it (GraphMachines.h)
//
// A graph without levels may get stuck. If every wavefront waits for space, the run ends with a message that names the
// channels.
//
// Thread-safety: a single host thread.
#ifndef CILK2GPU_RUNTIME_GRAPH_GRAPHDEVICE_H
#define CILK2GPU_RUNTIME_GRAPH_GRAPHDEVICE_H

#include "graph/GraphAggregator.h"
#include "graph/GraphMachines.h"

namespace cilk2gpu::rt {

class GraphDevice {
public:
  Arena &memory() { return arena; }
  /// `report` outlives the device. `device` has a machine for graphs. Natively, `workers` threads run kernels.
  GraphDevice(const Environment &environment, Device device, const MachineSettings &settings, uint32_t workers,
              uint32_t wave, uint32_t doneCount, GraphReport &report);
  GraphDevice(const GraphDevice &) = delete;
  void destroy();

  GraphNode &addNode(uint64_t bytes, uint64_t width, bool isStack) { return channels.add(bytes, width, isStack); }
  GraphNode &node(int id) { return channels.find(id); }
  void setReadiness(GraphNode &node, GraphReadiness readiness) { channels.setReadiness(node, readiness); }
  void setScheduler(GraphScheduler chosen, void *context) { aggregator.setScheduler(chosen, context); }
  void run();
  /// Returns the report, up to date.
  GraphReport &reported();

  // Called by kernels; talloc and enq also by the host before a run (GraphWaves.h).
  void *talloc(GraphNode &node, uint64_t level, uint64_t count) {
    InRuntime guard(machine);
    return waves.talloc(node, level, count);
  }
  void enq(GraphNode &node, void *elements) {
    InRuntime guard(machine);
    waves.enq(node, elements);
  }
  void *deq(int id, int offset) {
    InRuntime guard(machine);
    return waves.deq(id, offset);
  }
  void tfree(int id, int offset) {
    InRuntime guard(machine);
    waves.tfree(id, offset);
  }
  uint64_t level(int id, int offset) {
    InRuntime guard(machine);
    return waves.level(id, offset);
  }
  uint64_t currentLevel() {
    InRuntime guard(machine);
    return waves.currentLevel();
  }

private:
  bool step();

  const Environment environment;
  Arena arena;
  alignas(mostOfGraphMachines(
      &GraphMachineEntry::align)) unsigned char storage[mostOfGraphMachines(&GraphMachineEntry::bytes)];
  GraphMachine &machine;
  GraphShared shared;
  GraphChannels channels;
  GraphWaves waves;
  GraphAggregator aggregator;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_GRAPH_GRAPHDEVICE_H
