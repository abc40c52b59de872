// The aggregator of a hand-written graph. It frees elements, restarts wavefronts whose channel has freed elements, and
// dispatches.
//
// Lanes run one after another. If a lane waits and nothing else can run, the lanes behind it continue in a wavefront of
// their own. So no lane waits for elements that a lane of its own wavefront would free.
//
// Thread-safety: a single host thread.
#ifndef CILK2GPU_RUNTIME_GRAPH_GRAPHAGGREGATOR_H
#define CILK2GPU_RUNTIME_GRAPH_GRAPHAGGREGATOR_H

#include "graph/GraphWaves.h"

namespace cilk2gpu::rt {

class GraphAggregator {
public:
  GraphAggregator(GraphShared &shared, GraphChannels &channels, GraphWaves &waves)
      : shared(shared), channels(channels), waves(waves) {}
  GraphAggregator(const GraphAggregator &) = delete;

  void setScheduler(GraphScheduler chosen, void *context) {
    scheduler = chosen;
    schedulerContext = context;
  }
  /// Does one thing. Returns false if there is nothing to do until something changes.
  bool act();
  /// Returns the time at which it can act again.
  uint64_t nextTurn() const { return freeAt > shared.machine.now() ? freeAt : shared.machine.now(); }
  /// Ends the process with a message about who waits for whom.
  [[noreturn]] void stalled();

private:
  void spend(uint64_t &counter, uint32_t cycles);
  bool reclaim();
  bool restart();
  bool restartOf(GraphChannel &at);
  void resume(GraphWave &wave, Context &context);
  bool dropSpares();
  bool dispatch();
  bool dispatchNode(GraphNode &node, bool force);
  bool dispatchFrom(GraphChannel &at, uint64_t most);
  void launch(GraphWave &started, Context &context);
  bool split();
  void splitBehind(GraphWave &waiting);
  bool askScheduler();
  bool holds(GraphChannel &at);
  ChannelState stateOf(GraphChannel &at);

  GraphShared &shared;
  GraphChannels &channels;
  GraphWaves &waves;
  GraphScheduler scheduler = nullptr;
  void *schedulerContext = nullptr;
  ChannelState *states = nullptr; ///< argument of the user's scheduler
  GraphChannel **stateChannels = nullptr;
  uint64_t numStates = 0;
  uint64_t freeAt = 0;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_GRAPH_GRAPHAGGREGATOR_H
