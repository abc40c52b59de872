// The data of a hand-written graph: nodes, their channels, and wavefronts.
//
// Thread-safety: a single host thread.
#ifndef CILK2GPU_RUNTIME_GRAPH_GRAPHWAVE_H
#define CILK2GPU_RUNTIME_GRAPH_GRAPHWAVE_H

// The runtime is compiled with hidden visibility; functions that programs call are visible.
#pragma GCC visibility push(default)
#include "cilk2gpu/Graph.h"
#pragma GCC visibility pop
#include "core/LevelSet.h"
#include "core/TaskTable.h"
#include "executors/model/LaneCounts.h"
#include "executors/model/LevelChannel.h"
#include "executors/model/Machine.h"
#include "graph/GraphReport.h"

namespace cilk2gpu::rt {

class GraphWaves;
struct GraphChannel;

// The scheduler core has types with the same names.
using GraphScheduler = cilk2gpu::Scheduler;
using GraphPredicate = cilk2gpu::Predicate;
using GraphReadiness = cilk2gpu::Readiness;

/// The record of a node. Compiled graphs register the same records. It has the element's layout, the node's kind, the
/// capacity of the channel or of each level, and the edge that elements of a stack may wait for.
struct NodeRecord {
  abi::FieldRecord field;
  abi::TaskRecord node;
  abi::EdgeRecord edge; ///< from any task: elements wait until all deeper levels are drained
};

/// A channel node or a channel stack node.
struct GraphNode {
  GraphNode *next;
  int id;
  NodeRecord *record;
  TaskInfo *info; ///< the record's contents and its closed edges, as the scheduler core has them

  bool isStack() const { return !info->isQueue(); }
  uint64_t width() const { return info->capacity; }

  graph::Invoke invoke;
  void *kernel;
  const void *function; ///< that `invoke` calls
  GraphPredicate predicate;
  void *predicateContext;
  GraphChannel **levels;
  uint64_t numLevels;
  LevelSet live; ///< levels with elements, or with running wavefronts that consume or consumed elements
  ChannelReport *report;
};

/// Elements that a kernel has talloc'ed and not published yet.
struct GraphAllocation {
  GraphAllocation *next;
  GraphChannel *channel;
  Reservation elements;
  uint32_t lane; ///< the lane of the wavefront that allocated them
  bool isEnqueued;
};

/// The rest of a wavefront's latest reservation in a channel.
struct GraphGrant {
  GraphGrant *next;
  GraphChannel *channel;
  Reservation left;
};

struct GraphWave {
  GraphWaves *owner;
  GraphWave *next; ///< next in a list of free or blocked wavefronts
  GraphChannel *from;
  uint32_t first; ///< offset of the first lane's element, which the kernel gets as its argument
  uint32_t lanes, lane, cu;
  Fiber *fiber; ///< fiber of a blocked wavefront
  DispatchedRange ranges[abi::kMaxWave];
  uint32_t numRanges;
  ChannelBuffer *segments[abi::kMaxWave];
  uint64_t slots[abi::kMaxWave];
  enum class LaneState : uint8_t { Consuming, Freed, Flushed } states[abi::kMaxWave];
  GraphAllocation *allocations;
  GraphGrant *grants;
  GraphChannel *waitsFor;
  uint64_t waitsCount, seenChanges;
  bool hasPledge; ///< it was restarted and has not asked for elements yet
  CasCounts cas;
  LaneTree executed;
};

struct GraphChannel {
  GraphNode *node;
  uint64_t level;
  LevelChannel channel;
  uint64_t live, running;
  uint64_t pledged;    ///< elements that restarted wavefronts are about to ask for
  uint64_t changes;    ///< number of times that elements were freed, or that reservations were given up
  uint64_t readySince; ///< time at which the channel last became ready; 0 if it is not ready
  GraphWave *firstWaiter, *lastWaiter;
  GraphChannel *nextReclaim, *nextWaiting;
  bool awaitsReclaim, isWaitedFor;
  bool mayRestart; ///< may a waiting wavefront restart?
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_GRAPH_GRAPHWAVE_H
