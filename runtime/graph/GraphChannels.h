// The nodes of a hand-written graph and their channels: what is in them, who waits for room in them, and which of them
// may run.
//
// Thread-safety: a single host thread.
#ifndef CILK2GPU_RUNTIME_GRAPH_GRAPHCHANNELS_H
#define CILK2GPU_RUNTIME_GRAPH_GRAPHCHANNELS_H

#include "core/Tunables.h"
#include "graph/GraphShared.h"

namespace cilk2gpu::rt {

class GraphChannels {
public:
  explicit GraphChannels(GraphShared &shared) : shared(shared), tasks(shared.environment) {}
  GraphChannels(const GraphChannels &) = delete;

  /// Gives back the memory that is not in the device's arena.
  void destroy();

  GraphNode &add(uint64_t bytes, uint64_t width, bool isStack);
  /// Sets what the elements of a stack wait for.
  void setReadiness(GraphNode &node, GraphReadiness readiness);
  /// Returns a node by its number. Ends the process if there is none.
  GraphNode &find(int id);
  /// Returns a level of a node, which is made on first use.
  GraphChannel &at(GraphNode &node, uint64_t level);
  GraphNode *first() const { return nodes; }

  /// Lanes run one after another, so a waiting lane may keep later lanes from freeing their elements. Narrow channels
  /// therefore free elements one by one.
  ChannelBudget budget(const GraphNode &node) {
    uint64_t granularity = node.width() / tunables::kWidthPerDoneCount;
    return {shared.arena, granularity < 1                  ? 1
                          : granularity < shared.doneCount ? uint32_t(granularity)
                                                           : shared.doneCount};
  }

  // Elements, from when they are enqueued until they are freed.
  void addLive(GraphChannel &at, uint64_t count);
  void removeLive(GraphChannel &at, uint64_t count);
  void eraseIfDone(GraphChannel &at);
  /// Returns whether any element, or any waiting wavefront, is left.
  bool isLive() const;
  /// Returns whether everything that the channel's elements depend on is done.
  bool isReady(const GraphChannel &at) const;

  // Room.
  /// Room was freed, or may be granted now.
  void changed(GraphChannel &at) {
    ++at.changes;
    at.mayRestart = shared.isAwake = true;
  }
  void queueReclaim(GraphChannel &at);
  /// Takes a channel with elements to free out of the queue; null: there is none.
  GraphChannel *nextReclaim();
  /// Puts a wavefront behind those that wait for room.
  void addWaiter(GraphChannel &at, GraphWave &wave);

  GraphChannel *waitedFor = nullptr; ///< channels with wavefronts that wait for room, and perhaps others
  uint64_t numWaiting = 0;           ///< these wavefronts

private:
  NodeRecord *createRecord(const char *name, uint64_t bytes, uint64_t width, bool isStack);
  void occupy(GraphChannel &at, int64_t change);

  GraphShared &shared;
  TaskTable tasks; ///< its memory is not in the graph's statistics
  GraphNode *nodes = nullptr, *lastNode = nullptr;
  int numNodes = 0;
  GraphChannel *reclaims = nullptr;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_GRAPH_GRAPHCHANNELS_H
