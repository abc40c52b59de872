// Runs channel-flow graphs that were written by hand (include/cilk2gpu/Graph.h). Their channels are those that compiled
// programs have on the modelled machine. Its parts:
//
//   GraphChannels     nodes and channels: their elements, and the nodes that may run
//   GraphWaves        wavefronts and the calls of their kernels
//   GraphAggregator   decides which elements are freed, and which wavefronts are restarted and dispatched
//   GraphMachine      runs wavefronts; CILK2GPU_DEVICE chooses the machine (GraphMachines.h)
//
// A graph without levels may deadlock. If every wavefront waits for space, the run ends with a message that names the
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
  /// `report` outlives the device. `device` must have a machine for graphs (findGraphMachine). Natively, `workers`
  /// threads run kernels. `gpu` is null unless the device is a GPU.
  GraphDevice(const Environment &environment, Device device, const MachineSettings &settings, uint32_t workers,
              uint32_t wave, uint32_t doneCount, GraphReport &report, GpuForGraphs *gpu = nullptr);
  GraphDevice(const GraphDevice &) = delete;
  void destroy();

  GraphNode &addNode(uint64_t bytes, uint64_t width, bool isStack) { return channels.add(bytes, width, isStack); }
  GraphNode &node(int id) { return channels.find(id); }
  void setReadiness(GraphNode &node, GraphReadiness readiness) { channels.setReadiness(node, readiness); }
  void setScheduler(GraphScheduler chosen, void *context) { aggregator.setScheduler(chosen, context); }
  void run();
  /// Returns whether a kernel may be the caller of this.
  bool isInKernel() const { return machine.isInKernel(); }
  /// Returns the report, up to date.
  GraphReport &reported();

  // Functions that kernels call. The host may also call talloc and enq, before a run (GraphWaves.h).
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
  const Environment elements; ///< memory that the device reaches
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
