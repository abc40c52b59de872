// The wavefronts of a hand-written graph, from their first lane to their end, and the calls of their kernels.
//
// A hand-written kernel is an ordinary function, so a lane that finds a channel full cannot save itself. Its whole
// wavefront is suspended with all registers, and gives up its context. The aggregator restarts it on the same CU when
// elements of that channel were freed. All enqs and tfrees of a wavefront take effect together, when it ends or is
// suspended, with one atomic operation for all lanes. Some machines suspend the lane alone, in a wavefront of its own
// (LanesGraphMachine.h).
//
// Thread-safety: a single host thread.
#ifndef CILK2GPU_RUNTIME_GRAPH_GRAPHWAVES_H
#define CILK2GPU_RUNTIME_GRAPH_GRAPHWAVES_H

#include "graph/GraphChannels.h"

namespace cilk2gpu::rt {

class GraphWaves {
public:
  GraphWaves(GraphShared &shared, GraphChannels &channels);
  GraphWaves(const GraphWaves &) = delete;
  void destroy() { laneMemory.destroy(); }

  /// The functions of a machine (GraphMachineSetup).
  static void waveMain(void *wave);
  static uint64_t pressure(const Wavefront &wave);

  // Functions that kernels call. The host may also call talloc and enq, before a run.
  void *talloc(GraphNode &node, uint64_t level, uint64_t count);
  void enq(GraphNode &node, void *elements);
  void *deq(int id, int offset);
  void tfree(int id, int offset);
  uint64_t level(int id, int offset);
  uint64_t currentLevel() const;

  // Functions that the aggregator calls.
  /// Returns a wavefront without lanes.
  GraphWave &create(GraphChannel &from);
  /// Called when a wavefront has ended and its context is free.
  void over(GraphWave &wave, const Context &context);
  /// Publishes the host's elements. Ends the process if the host has allocated elements that it did not enqueue.
  void publishHosts();
  const IssueCounts &issueCounts() const { return issues; }

private:
  GraphWave *current() const;
  uint32_t lane(int id, int offset) const;
  void *takeGranted(GraphWave &wave, GraphChannel &target, uint64_t count);
  bool reserve(GraphWave &wave, GraphChannel &target, uint64_t count);
  bool freeSpares(GraphChannel &target);
  /// Waits until the channel's count of changes exceeds `seenChanges`, which the caller read before the channel refused
  /// it.
  void block(GraphWave &running, GraphChannel &target, uint64_t count, uint64_t seenChanges);
  GraphWave &takeLane(GraphWave &wave);
  void leave(GraphChannel &target, GraphGrant *grant);
  void flush(GraphWave &wave);
  void publish(GraphWave &wave);
  void freeConsumed(GraphWave &wave);
  static void laneMain(GraphWave &wave, uint32_t lane);
  void runLanes(GraphWave &wave);
  void finish(GraphWave &wave);
  void ended(GraphWave &wave, const Context &context);

  GraphShared &shared;
  GraphChannels &channels;
  GraphWave *free = nullptr;
  GraphWave hostWave = {}; ///< holds the host's allocations
  LaneMemory laneMemory;
  IssueCounts issues;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_GRAPH_GRAPHWAVES_H
