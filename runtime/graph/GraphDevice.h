// Runs channel-flow graphs that were written by hand (include/cilk2gpu/Graph.h) on the modelled machine, with
// the channels and contexts that compiled programs use.
//
// A hand-written kernel is an ordinary function: a lane that finds a channel full cannot save itself, so its whole
// wavefront is suspended, registers and all, and gives up its context; the aggregator restarts it on the same CU when
// elements of that channel were freed. A wavefront's enqs and tfrees take effect together, when it ends or is
// suspended, with one atomic for all lanes.
//
// Lanes run one after another. Where one waits and nothing else can go on, those behind it do so in a wavefront of
// their own, so that no lane waits for what another one of its wavefront would free.
//
// Nothing guarantees that a graph without levels gets on: if every wavefront waits for space, the run ends with a
// message that names the channels.
//
// Thread-safety: one host thread.
#ifndef CILK2GPU_RUNTIME_GRAPH_GRAPHDEVICE_H
#define CILK2GPU_RUNTIME_GRAPH_GRAPHDEVICE_H

// The runtime is compiled with hidden visibility; what programs call is not hidden.
#pragma GCC visibility push(default)
#include "cilk2gpu/Graph.h"
#pragma GCC visibility pop
#include "executors/model/LaneCounts.h"
#include "executors/model/LevelChannel.h"
#include "executors/model/LevelSet.h"
#include "executors/model/Machine.h"
#include "graph/GraphReport.h"

namespace cilk2gpu::rt {

class GraphDevice;
struct GraphChannel;

// The device core has names of its own like these.
using GraphScheduler = cilk2gpu::Scheduler;
using GraphPredicate = cilk2gpu::Predicate;
using GraphReadiness = cilk2gpu::Readiness;

/// A channel node or a channel stack node.
struct GraphNode {
  GraphNode *next;
  int id;
  abi::FieldRecord field; ///< the element
  uint64_t width;
  bool isStack;
  GraphReadiness readiness;
  graph::Invoke invoke;
  void *kernel;
  GraphPredicate predicate;
  void *predicateContext;
  GraphChannel **levels;
  uint64_t numLevels;
  LevelSet live; ///< levels where something is left: elements, or wavefronts that consume or consumed some
  ChannelReport *report;
};

/// Elements that a kernel has talloc'ed and that are not published yet.
struct GraphAllocation {
  GraphAllocation *next;
  GraphChannel *channel;
  Reservation elements;
  bool isEnqueued;
};

/// What is left of a wavefront's latest reservation in a channel.
struct GraphGrant {
  GraphGrant *next;
  GraphChannel *channel;
  Reservation left;
};

struct GraphWave {
  GraphDevice *device;
  GraphWave *next; ///< in a list of free or blocked ones
  GraphChannel *from;
  uint32_t lanes, lane, cu;
  Fiber *fiber; ///< of a blocked one
  DispatchedRange ranges[abi::kMaxWave];
  uint32_t numRanges;
  ChannelSegment *segments[abi::kMaxWave];
  uint64_t slots[abi::kMaxWave];
  enum class LaneState : uint8_t { Consuming, Freed, Flushed } states[abi::kMaxWave];
  GraphAllocation *allocations;
  GraphGrant *grants;
  GraphChannel *waitsFor;
  uint64_t waitsCount, seenChanges;
  bool hasPledge; ///< restarted, and has not asked yet
  CasCounts cas;
  LaneTree executed;
};

struct GraphChannel {
  GraphNode *node;
  uint64_t level;
  LevelChannel channel;
  uint64_t live, running;
  uint64_t pledged;    ///< elements that restarted wavefronts are about to ask for
  uint64_t changes;    ///< how often elements were freed, or left by who had reserved them
  uint64_t readySince; ///< when it last became ready; 0: it is not
  GraphWave *firstWaiter, *lastWaiter;
  GraphChannel *nextReclaim, *nextWaiting;
  bool awaitsReclaim, isWaitedFor;
  bool mayRestart; ///< one of those who wait
};

class GraphDevice {
public:
  Arena &memory() { return arena; }
  /// `report` outlives it.
  GraphDevice(const Environment &environment, const MachineSettings &machine, uint32_t wave, uint32_t doneCount,
              GraphReport &report);
  GraphDevice(const GraphDevice &) = delete;
  void destroy();

  GraphNode &addNode(uint64_t bytes, uint64_t width, bool isStack);
  GraphNode &node(int id);
  void setScheduler(GraphScheduler chosen, void *context) {
    scheduler = chosen;
    schedulerContext = context;
  }
  void run();
  /// Brings the report up to date.
  GraphReport &reported();

  // In a kernel, or, before a run, on the host (`running` is null then).
  void *talloc(GraphNode &node, uint64_t level, uint64_t count);
  void enq(GraphNode &node, void *elements);
  void *deq(int id, int offset);
  void tfree(int id, int offset);
  uint64_t level(int id, int offset);
  uint64_t currentLevel() const;

private:
  GraphChannel &channel(GraphNode &node, uint64_t level);
  GraphWave *current() const;
  uint32_t lane(int id, int offset) const;
  /// Lanes run one after another, so one that waits for space may keep those after it from freeing theirs: in narrow
  /// channels elements are freed one by one.
  ChannelBudget budget(const GraphNode &node) {
    uint64_t granularity = node.width / tunables::kWidthPerDoneCount;
    return {arena, granularity < 1 ? 1 : granularity < doneCount ? uint32_t(granularity) : doneCount};
  }

  static void waveMain(void *wave);
  bool reserve(GraphWave &wave, GraphChannel &target, uint64_t count);
  bool freeSpares(GraphChannel &target);
  /// Until the channel has changed more often than `seenChanges`, which was read before it refused.
  void block(GraphWave &wave, GraphChannel &target, uint64_t count, uint64_t seenChanges);
  void leave(GraphChannel &target, GraphGrant *grant);
  void changed(GraphChannel &at) {
    ++at.changes;
    at.mayRestart = isAwake = true;
  }
  void flush(GraphWave &wave);
  void publish(GraphWave &wave);
  void freeConsumed(GraphWave &wave);
  void finish(GraphWave &wave);
  void addLive(GraphChannel &at, uint64_t count);
  void removeLive(GraphChannel &at, uint64_t count);
  void eraseIfDone(GraphChannel &at);

  bool act();
  bool restart();
  bool restartOf(GraphChannel &at);
  void resume(GraphWave &wave, Context &context);
  bool reclaim();
  bool dropSpares();
  void queueReclaim(GraphChannel &at);
  bool dispatch();
  bool dispatchNode(GraphNode &node, bool force);
  bool dispatchFrom(GraphChannel &at, uint64_t most);
  GraphWave &newWave(GraphChannel &from);
  void launch(GraphWave &started, Context &context);
  bool split();
  void splitBehind(GraphWave &waiting);
  bool mayRun(const GraphChannel &at) const;
  bool holds(GraphChannel &at);
  bool askScheduler();
  ChannelState stateOf(GraphChannel &at);
  void spend(uint64_t &counter, uint32_t cycles);
  void runLanes(GraphWave &wave);
  void occupy(GraphChannel &at, int64_t change);
  void ended(GraphWave &wave, const Context &context);
  bool isLive() const;
  [[noreturn]] void stalled();

  const Environment environment;
  Arena arena;
  Machine machine;
  const uint32_t wave, doneCount;
  GraphNode *nodes = nullptr, *lastNode = nullptr;
  int numNodes = 0;
  GraphScheduler scheduler = nullptr;
  void *schedulerContext = nullptr;
  ChannelState *states = nullptr; ///< for the scheduler
  GraphChannel **stateChannels = nullptr;
  uint64_t numStates = 0;
  GraphWave *freeWaves = nullptr;
  GraphWave hostWave = {}; ///< what the host talloc's
  GraphChannel *reclaims = nullptr, *waitedFor = nullptr;
  uint64_t freeAt = 0;
  bool isAwake = true;
  uint64_t numWaiting = 0; ///< wavefronts that wait for room
  GraphReport &report;
  GraphCounters &totals;
  LaneMemory laneMemory;
  IssueCounts issues;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_GRAPH_GRAPHDEVICE_H
