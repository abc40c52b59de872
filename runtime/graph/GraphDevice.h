// Runs channel-flow graphs that were written by hand (include/cilk2gpu/Graph.h) on the modelled machine, with
// the channels and contexts that compiled programs use.
//
// A hand-written kernel is an ordinary function, so a lane that finds a channel full cannot save itself. Its whole
// wavefront is suspended with all registers, and gives up its context. The aggregator restarts it on the same CU when
// elements of that channel were freed. All enqs and tfrees of a wavefront take effect together, when it ends or is
// suspended, with one atomic operation for all lanes.
//
// Lanes run one after another. If a lane waits and nothing else can run, the lanes behind it continue in a wavefront of
// their own. So no lane waits for elements that a lane of its own wavefront would free.
//
// A graph without levels may get stuck. If every wavefront waits for space, the run ends with a message that names the
// channels.
//
// Thread-safety: a single host thread.
#ifndef CILK2GPU_RUNTIME_GRAPH_GRAPHDEVICE_H
#define CILK2GPU_RUNTIME_GRAPH_GRAPHDEVICE_H

#include "graph/GraphMachines.h"

namespace cilk2gpu::rt {

class GraphDevice {
public:
  Arena &memory() { return arena; }
  /// `report` outlives the device.
  GraphDevice(const Environment &environment, Device device, const MachineSettings &settings, uint32_t wave,
              uint32_t doneCount, GraphReport &report);
  GraphDevice(const GraphDevice &) = delete;
  void destroy();

  GraphNode &addNode(uint64_t bytes, uint64_t width, bool isStack);
  GraphNode &node(int id);
  void setScheduler(GraphScheduler chosen, void *context) {
    scheduler = chosen;
    schedulerContext = context;
  }
  void run();
  /// Returns the report, up to date.
  GraphReport &reported();

  // Called by kernels; talloc and enq also by the host before a run.
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
  /// Lanes run one after another, so a waiting lane may keep later lanes from freeing their elements. Narrow channels
  /// therefore free elements one by one.
  ChannelBudget budget(const GraphNode &node) {
    uint64_t granularity = node.width / tunables::kWidthPerDoneCount;
    return {arena, granularity < 1 ? 1 : granularity < doneCount ? uint32_t(granularity) : doneCount};
  }

  static void waveMain(void *wave);
  static void laneMain(GraphWave &wave, uint32_t lane);
  bool reserve(GraphWave &wave, GraphChannel &target, uint64_t count);
  bool freeSpares(GraphChannel &target);
  /// Waits until the channel's count of changes exceeds `seenChanges`, which was read before the channel refused.
  void block(GraphWave &running, GraphChannel &target, uint64_t count, uint64_t seenChanges);
  GraphWave &takeLane(GraphWave &wave);
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
  alignas(mostOfGraphMachines(
      &GraphMachineEntry::align)) unsigned char storage[mostOfGraphMachines(&GraphMachineEntry::bytes)];
  GraphMachine &machine;
  const uint32_t wave, doneCount;
  GraphNode *nodes = nullptr, *lastNode = nullptr;
  int numNodes = 0;
  GraphScheduler scheduler = nullptr;
  void *schedulerContext = nullptr;
  ChannelState *states = nullptr; ///< argument of the user's scheduler
  GraphChannel **stateChannels = nullptr;
  uint64_t numStates = 0;
  GraphWave *freeWaves = nullptr;
  GraphWave hostWave = {}; ///< holds the host's allocations
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
