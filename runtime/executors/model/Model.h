// The modelled device: runs channel-flow graphs on a machine of compute units whose wavefronts all run at once, over
// shared lock-free channels, under an aggregator. A wavefront that finds a channel full gives up its context; the
// aggregator enters it in its table of blocked wavefronts and restarts it, on the same CU, when there is room.
//
// Bounds and progress are the native scheduler's (core/Scheduler.h), for each level and task: at most `width`
// elements in any state and as many frames; post-sync elements and blocked lanes stand for frames. A lane has its frame
// before it starts, all else that it asks for is one level deeper, and it is restarted when that level has room.
//
// Thread-safety: one host thread at a time. What happens depends on the settings, the seed and the program alone:
// addresses and the host's clock decide nothing.
//
//   Model model(environment, settings);
//   abi::Cursor *root = model.root(task);   // fill the element, ++root->next,
//   model.publishRoot() model.run();
#ifndef CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODEL_H
#define CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODEL_H

#include "executors/model/Predicate.h"
#include "executors/model/Trace.h"
#include "executors/model/Wavefront.h"

namespace cilk2gpu::rt {

class Model;

/// A control processor that runs the aggregator instead of the host: firmware. It works on the model's own data.
struct ControlHooks {
  void *context;
  /// Model::aggregate and Model::retire, there.
  bool (*aggregate)(void *context, Model &model);
  void (*retire)(void *context, Model &model, Wavefront &wavefront);
};

struct ModelSettings {
  Limits limits;
  MachineSettings machine;
  uint32_t doneCount = kDoneGranularity;
  bool reservePerLane = false; ///< each lane reserves and publishes for itself: the baseline to compare with
  uint64_t traceEvents = 0;    ///< at most; 0: no trace
  /// Cycles after which what is ready in a channel is dispatched though it fills no wavefront; 0: no time-out.
  uint64_t timeout = 0;
  Predicate predicate = {nullptr, nullptr};
  const ControlHooks *control = nullptr; ///< null: the host runs the aggregator itself
};

struct ModelCounters {
#define CILK2GPU_MODEL_COUNTER(name, unit, description) uint64_t name = 0;
#include "executors/model/ModelCounters.def"
#undef CILK2GPU_MODEL_COUNTER
};

/// Makes `machine` the one whose wavefronts' atomic operations are modelled points; null: none. Returns the one
/// that was: a task of a machine may run another one.
Machine *enterMachine(Machine *machine);

class Model {
public:
  Arena &memory() { return arena; }
  /// `environment` outlives the model.
  Model(const Environment &environment, const ModelSettings &settings);
  Model(const Model &) = delete;

  /// A cursor with room for one element of `task` at level 0, or null if that channel is full.
  abi::Cursor *root(const TaskInfo *task);
  /// Publishes what was filled in at that cursor.
  void publishRoot();
  /// Runs until nothing is left.
  void run();

  /// As in Scheduler.
  Counters counters(const TaskTable &tasks) const;
  const KernelCounters *kernelCounters(const TaskInfo &task) const;
  Counters &hostCounters() { return totals; }
  ModelCounters modelCounters() const;
  const ChannelOccupancy *occupancy(const TaskInfo &task) const;
  /// The most memory that the device could have taken for the levels that were reached and the contexts that were in
  /// use at one time, by the formula that docs/model.md derives.
  uint64_t memoryBound() const;
  const ModelSettings &setup() const { return settings; }
  const Trace &trace() const { return events; }

  /// Elements spawned and dispatched so far: does not change while nothing gets on. May be read by any thread.
  uint64_t progress() const { return read(totals.spawned) + read(dispatchedLanes); }
  /// Writes who waits for what. In the machine's own thread; in another one while a kernel's code runs, which changes
  /// nothing that this reads.
  void report(void (*line)(void *context, const char *text), void *context) const;
  /// From another thread: has the machine write the report (Environment::report) before its next action, unless a
  /// kernel keeps it from that.
  void requestReport() { __atomic_store_n(&reportWanted, true, __ATOMIC_RELAXED); }
  bool hasReported() const { return !__atomic_load_n(&reportWanted, __ATOMIC_ACQUIRE); } // pairs with answer()

  void destroy();

private:
  struct TaskState {
    KernelCounters *kernels;
    ChannelOccupancy occupancy;
    ElementLayout layout; ///< of its channels: the task's own, and the WaveNode if readiness is counted
    uint64_t bytes;       ///< of what it points to
    LevelTask *levels;    ///< of a queue: at one level (LevelTask::otherLevel)
  };

  /// A kernel's own code is next: pairs with report() in another thread.
  void leaveToKernel() { __atomic_store_n(&kernelEntries, kernelEntries + 1, __ATOMIC_RELEASE); }

  // Model.cpp: the run loop.
  void answer();
  bool nextAction();
  void ended(Wavefront &wavefront, Context &context);
  void start(Wavefront &wavefront, Context &context, uint64_t time);
  void stalled();

  // ModelLevels.cpp
  ModelLevel &level(uint64_t index);
  LevelTask &levelTask(uint64_t index, const TaskInfo *task);
  ActiveTask &activate(LevelTask &task);
  TaskState &stateOf(const TaskInfo &task);
  void addLive(uint64_t index, uint64_t count);
  void removeLive(uint64_t index, uint64_t count);
  void occupy(LevelTask &task, int64_t change);

  // ModelNodes.cpp: dependency-counted readiness.
  WaveNode *createNode(Wavefront &wavefront);
  void addPosts(Wavefront &wavefront, const abi::Cursor &synced, uint32_t kernel);
  void nodeOver(WaveNode *node);
  void settle();
  void settle(WaveNode *node);
  void lookAt(WaveNode *node);
  void makePostReady(LevelTask &task, uint32_t kernel, void *frame, WaveNode *tag);

  // ModelWavefront.cpp: what happens in a wavefront's fiber.
  static uint64_t tallocInWave(abi::Wave *wave, uint32_t target, uint64_t wanted);
  static void wavefrontMain(void *wavefront);
  void runKernel(Wavefront &wavefront);
  static uint64_t pressure(const Wavefront &wavefront);
  uint64_t reservationSize(const Wavefront &wavefront, const LevelTask &target);
  bool talloc(Wavefront &wavefront, uint32_t target);
  void publish(Wavefront &wavefront, Producer &producer, LevelTask &target);
  void loadElements(Wavefront &wavefront);
  void finish(Wavefront &wavefront);
  uint32_t handOverPosts(Wavefront &wavefront);
  void saveYielded(Wavefront &wavefront);
  void freeConsumed(Wavefront &wavefront);
  void countDivergence(Wavefront &wavefront, uint64_t continued);

  // ModelAggregator.cpp
  enum class Outcome { Nothing, Waits, Dispatched };
  friend struct ControlAccess;
  bool aggregate();
  bool takeBlocked();
  bool reclaimOne();
  bool dispatchSomething();
  bool moveLevel();
  bool dispatchAt(uint64_t index, bool force);
  Outcome restartBlocked(LevelTask &task);
  Outcome dispatchFresh(LevelTask &task, bool force);
  bool framesMissing(LevelTask &task, uint64_t &lanes);
  Outcome dispatchPosts(LevelTask &task, bool force);
  bool dispatchFreely();
  bool dispatchDeepest(bool force);
  bool isEnough(const LevelTask &task, uint64_t available);
  struct PolicyView;
  bool isHalfFullBelow(uint64_t index) const;
  uint64_t lanesAtOnce(const LevelTask &task) const;
  bool descends(uint64_t index) const;
  bool makeReady(uint64_t index, bool isDrained = true);
  bool isDrainedBelow(uint64_t index, const Closure &awaited);
  bool riseToReady();
  bool isHeldElsewhere(const LevelTask &task);
  void wakeProducers(const LevelTask &task);
  LevelTask *nextQueue(uint64_t index) const;
  void dropSpares(uint64_t index);
  void queueReclaim(LevelTask &task);
  Wavefront *prepare(LevelTask &task, WaveKind kind, uint32_t kernel, uint64_t lanes, abi::KernelFn entry);
  void launch(Wavefront &wavefront, Context &context);
  void spend(uint64_t &counter, uint32_t cycles);
  void retire(Wavefront &wavefront);
  ChannelBudget restartBudget() { return {arena, 1}; }
  ChannelBudget budget() { return {arena, settings.doneCount}; }
  const Policy &policy() const { return policyOf(settings.limits.policy); }
  bool countsChildren() const { return policy().readiness == abi::ReadinessKind::ChildCount; }
  [[noreturn]] void internalError(const char *what, uint64_t index);

  const Environment &environment;
  const ModelSettings settings;
  Arena arena;
  Arena frameArena;
  Trace events;
  Machine machine;
  ModelLevel *levels = nullptr;
  uint64_t numLevels = 0;
  LevelSet alive;      ///< levels where something is left
  LevelSet candidates; ///< levels where something might be dispatched
  TaskState *taskStates = nullptr;
  uint64_t numTaskStates = 0;
  bool hasQueues = false;

  // The aggregator's.
  uint64_t current = 0;              ///< level, LevelOrder::OneAtATime
  bool goesDown = false;             ///< nothing more is dispatched at that level before deeper levels are empty
  uint64_t started = 0;              ///< pre-sync lanes dispatched at that level since it was entered
  uint64_t freeAt = 0;               ///< when its last action is over
  uint64_t wakeAt = Machine::kNever; ///< when a time-out is over
  bool isAwake = true;               ///< something happened since it had nothing to do
  bool reportWanted = false;         ///< atomic
  uint64_t kernelEntries = 0;        ///< atomic
  LevelTask *reclaims = nullptr;
  const abi::FieldRecord restartField[1] = {{sizeof(SavedWave *), alignof(SavedWave *)}};
  LevelChannel restartChannel; ///< elements: SavedWave *
  uint64_t blocked = 0;        ///< wavefronts in the table
  bool isRunning = false;

  Wavefront *freeWavefronts = nullptr;
  uint64_t largestBlock = 0; ///< of a Wavefront
  uint64_t fixedBytes;       ///< in use when the model was made
  Producer rootProducer = {};
  LevelTask *rootTask = nullptr;
  CasCounts rootCas;
  uint64_t framesInUse = 0;
  uint64_t dispatchedLanes = 0;  ///< fresh and post-sync
  WaveNode *unsettled = nullptr; ///< nodes to look at
  LaneMemory laneMemory;
  IssueCounts issues;
  Counters totals;
  ModelCounters modelTotals;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODEL_H
