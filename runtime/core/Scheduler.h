// The aggregator: a table-driven scheduler that runs channel-flow graphs levelized and in bounded memory.
//
// A task at level d spawns into channels of level d + 1. At a level the scheduler dispatches, in wavefronts of up to
// Limits::wave lanes: lanes that had yielded, then pre-sync elements, then post-sync elements that are ready. It goes
// one level deeper when a lane yields or nothing more can be dispatched, and comes back when everything deeper is
// done; only then the post-sync elements of the level become ready. It leaves a level upwards when it is empty.
// One loop with a current level: nothing here recurses, and kernels never call back into the loop.
//
// Bounds: per level and task, at most Limits::width pre-sync elements and as many frames; post-sync and restart
// elements stand for frames. Progress: a lane always finds a frame, and a restarted lane finds every channel one level
// deeper empty, so it spawns at least one element before it yields again. Width 1 is enough for every program.
//
// Thread-safety: one thread at a time. give() also writes the receiving scheduler, which must be waiting.
// Freestanding: includes freestanding headers only, calls nothing but its Environment.
//
//   Scheduler s(environment, {64, 4096});
//   abi::Cursor *root = s.root(task);   // fill the element, then ++root->next
//   s.run(0);
#ifndef CILK2GPU_RUNTIME_CORE_SCHEDULER_H
#define CILK2GPU_RUNTIME_CORE_SCHEDULER_H

#include "core/Generator.h"
#include "core/LevelState.h"

namespace cilk2gpu::rt {

class Scheduler {
public:
  /// `environment` outlives the scheduler.
  Scheduler(const Environment &environment, Limits limits);
  Scheduler(const Scheduler &) = delete;
  Scheduler &operator=(const Scheduler &) = delete;

  /// A cursor with room for one more element of `task` at level 0, or null if that channel is full.
  abi::Cursor *root(const TaskInfo *task);

  /// Runs until level `base` and all deeper levels are empty. In the first `probeFor` nanoseconds, while others are
  /// hungry, the first wavefront at each new level has one lane only: if tasks turn out to take long, the rest of them
  /// is still there to be shared. Returns false if Environment::pause had it left before: goOn() goes on.
  bool run(uint64_t base, uint64_t probeFor = 0);
  bool goOn();

  /// Makes room for up to `wanted` elements in the channel of `target`; returns for how many: 0 if it is full.
  uint64_t talloc(abi::Cursor &target, uint64_t wanted);

  /// Memory for storage of variable size of the tasks that run here (TaskLocals.h).
  Arena &memory() { return arena; }

  /// A block that can be given away.
  struct Surplus {
    uint64_t level;
    TaskLevel *from; ///< null: there is none
    uint64_t count;  ///< elements to give
  };

  /// One of `parts` (>= 2) parts of the shallowest channel that has some to spare; `small`: of those that run in
  /// vectors, too, if they fill none. Called between dispatches.
  Surplus findSurplus(bool small, uint64_t parts);

  /// Moves a surplus to the same level of `receiver`, which waits and has nothing at that level or deeper. It stays
  /// counted here until receiver's Environment::repay was called for it.
  /// Whether the budget has room for it, and a frame, in another scheduler.
  bool canGive(const Surplus &surplus) const;
  void give(const Surplus &surplus, Scheduler &receiver);

  /// Blocks given away at `level` that are not done.
  uint64_t stolen(uint64_t level) const;

  /// Adds up this scheduler's counters. May be called by any thread; while run() is in progress they lag.
  Counters counters(const TaskTable &tasks) const;

  /// Counters of `task`'s kernels; null if it never ran here.
  const KernelCounters *kernelCounters(const TaskInfo &task) const;

  /// Elements spawned and dispatched so far, and the kernel that runs: for a watchdog, from any thread.
  uint64_t progress() const;
  const char *runningKernel() const { return __atomic_load_n(&kernelName, __ATOMIC_RELAXED); }
  uint64_t runningLevel() const { return __atomic_load_n(&current, __ATOMIC_RELAXED); }

  /// The most memory that this scheduler could have taken for the levels that it reached (MemoryBound.h). While run()
  /// is not in progress.
  uint64_t memoryBound() const;

  /// The most memory that a turn of run()'s loop may take for `task`: for what it has at one level and spawns into the
  /// next.
  static uint64_t turnBound(const TaskInfo &task, const Limits &limits);

  /// Counters that the caller of run() keeps.
  Counters &hostCounters() { return totals; }

  /// Into how many tasks a cilk_for is cut that starts in the kernel that runs. Called by its thread.
  uint64_t loopTasks() const;

  /// Environment::context.
  void *context() const { return environment.context; }
  uint32_t wave() const { return limits.wave; }

  /// Says that run() is over although it did not return: its thread does not exist in this process any more, but it
  /// had emptied its levels. Only after fork.
  void rest() { running = false; }

  /// Releases all memory. Nothing else may be called afterwards.
  void destroy() {
    arena.destroy();
    deviceArena.destroy();
    frameArena.destroy();
  }

private:
  friend struct ControlAccess; // firmware/Shared.h

  /// Deeper: what was dispatched has spawned, and that should run before more is dispatched here.
  enum class Progress { None, Dispatched, Deeper, Yielded };

  /// A wave and the scheduler that dispatched it.
  struct DispatchedWave : RunningWave {
    Scheduler *scheduler;
  };
  static uint64_t tallocInWave(abi::Wave *wave, uint32_t target, uint64_t wanted);

  /// Makes a level the current one, which reports read from other threads.
  void enter(uint64_t level) { __atomic_store_n(&current, level, __ATOMIC_RELAXED); }
  Level &level(uint64_t index);
  TaskLevel &taskLevel(uint64_t index, const TaskInfo *task);
  ActiveState &activate(TaskLevel &state, uint64_t index);
  KernelCounters *countersOf(const TaskInfo &task);
  StealState &stealState(uint64_t index);

  void fetchAhead(int64_t step) const;
  Progress dispatchLevel(uint64_t index);
  Progress dispatchQueues(uint64_t index);
  bool riseToReady();
  bool holdsBelow(uint64_t index) const;
  Progress restartYielded(TaskLevel &state);
  Progress dispatchFresh(TaskLevel &state, uint64_t index);
  Progress dispatchReady(TaskLevel &state);
  uint64_t lanesOf(const ActiveState &active, uint64_t available);
  uint64_t restartedLanes(uint64_t available) const;
  uint64_t leastSurplus(const TaskLevel &state, uint64_t index, bool small) const;
  uint64_t roomBelow(const TaskLevel &state) const;
  uint64_t wavefronts(uint64_t lanes) const { return (lanes + limits.wave - 1) / limits.wave; }
  struct PolicyView;
  bool isHalfFullBelow() const;
  bool hasSpawned(const TaskLevel &state) const;
  bool feedsVectors(const TaskLevel &state) const;
  uint64_t lanesAtOnce(const TaskLevel &state) const;
  uint64_t rearrange(TaskLevel &state, uint64_t lanes);
  bool goesDeeper(const TaskLevel &state, bool fillsBelow);
  void startPace(ActiveState &active, bool inVectors, uint64_t lanes, uint64_t start);
  void endPace(ActiveState &active);
  bool awaits(const TaskLevel &state) const;
  void adaptBlock(ActiveState &active, uint64_t start);
  bool mayElide(const TaskInfo &task) const;
  bool lacksRoom(const TaskLevel &state, uint64_t index) const;
  uint64_t leastBound(const TaskInfo &task, uint64_t index) const;
  uint64_t lanesToElide(TaskLevel &state, uint64_t lanes, bool &isTrial);
  void swap(TaskLevel &state, uint64_t a, uint64_t b);
  void pick(TaskLevel &state, uint64_t lanes, uint64_t among);
  void pickNeighbours(TaskLevel &state, uint64_t lanes, uint64_t among);
  uint64_t startOfTrial(const Elision &elision, uint64_t lanes) const;
  bool mayTry(const ActiveState &active, const TaskInfo &task) const;
  void countVisit(ActiveState &active, uint64_t available);
  void countWide();
  uint64_t lanesOfChain(const TaskLevel &state, uint64_t available) const;
  bool isNarrow(const ActiveState &active) const;
  bool isLongLeaf(const TaskLevel &state) const;
  bool areShort() const;
  bool levelAwaits() const;
  void runElided(TaskLevel &state, uint64_t lanes, bool isTrial);
  bool framesMissing(TaskLevel &state, ActiveState &active, uint64_t &lanes);
  bool runWave(TaskLevel &state, abi::KernelFn entry, OwnedChannel &source, uint64_t lanes, uint32_t kernel);
  void runOnHost(ActiveState &active, const KernelInfo &info, abi::KernelFn entry, uint64_t lanes, uint64_t available);
  void runOnDevice(TaskLevel &state, bool restarts, const OwnedChannel &source, uint64_t lanes);
  void makeRoomForLanes(TaskLevel &state, uint64_t lanes);
  bool settleSpawns(ActiveState &active, const TaskInfo &task);
  void settleFrames(abi::FrameStore &frames, bool takes);
  OwnedChannel &restartChannel(TaskLevel &state, uint32_t kernel, uint64_t lanes);
  void countYields(ActiveState &active, uint64_t lanes);
  void countFrames(ActiveState &active, uint64_t freeBefore);
  bool hungry() const;
  void share();

  bool spawnedInto(uint64_t index);
  bool makeReady(uint64_t index, bool isDrained = true);
  bool isDrainedBelow(uint64_t index, const Closure &awaited) const;
  bool holdsElements(uint64_t index) const;
  void repay(uint64_t index);
  [[noreturn]] void internalError(const char *what, uint64_t index);

  const Environment &environment;
  const Limits limits;
  const PolicyKind policyKind;
  const Policy policy;
  Arena arena;
  Arena deviceArena;
  Arena frameArena;
  Arena &data;      ///< for elements: one of the first two
  Arena &frameData; ///< for frames: one of the last two
  Level *levels = nullptr;
  uint64_t numLevels = 0;
  uint64_t current = 0;    ///< the level that is dispatched
  uint64_t bottom = 0;     ///< levels deeper than this one hold nothing
  uint64_t lowest = 0;     ///< the level that run() was called for
  uint64_t shallowest = 0; ///< no level shallower than this one has a surplus, small ones counted if wasSmall
  bool wasSmall = false;   ///< of the last findSurplus
  bool running = false;
  bool hasQueues = false;  ///< a queue has a channel at some level
  bool triesGraph = false; ///< the pre-sync lanes that are dispatched are a trial of the graph (Elision)
  bool hasNoStack = false; ///< for elisions
  bool isTrying = false;   ///< lanes of a trial of the graph are under way (Elision)
  uint64_t probed = 0;     ///< the deepest level that had its first wavefront
  uint64_t started = 0;    ///< pre-sync lanes that ran since the current level was entered
  uint64_t probeUntil = 0; ///< time; 0: no probing
  Generator random;
  DispatchedWave dispatched;
  abi::Cursor yields; ///< restarts of the wave that runs, saved to its channel afterwards
  void *yieldColumns[2];
  void *yieldFrames[abi::kMaxLanes];
  uint32_t yieldSites[abi::kMaxLanes];
  void **returns = nullptr; ///< frames that pre-sync lanes of a device gave back
  uint64_t numReturns = 0;
  uint64_t framesInUse = 0;
  uint64_t narrowDispatches = 0;    ///< of pre-sync lanes, a few each and all that waited, since the last other one
  uint64_t narrowSince = 0;         ///< time when these were kNarrowDispatches / 2
  uint32_t wideDispatches = 0;      ///< other ones; wraps around
  uint32_t untimed = 0;             ///< dispatches of short elisions, timed or not
  uint64_t dispatchedLanes = 0;     ///< fresh and post-sync
  const char *kernelName = nullptr; ///< of the wavefront that runs; null: none
  KernelCounters **taskCounters = nullptr; ///< by TaskInfo::index; entries never move
  uint64_t numTaskCounters = 0, countersBytes = 0;
  Counters totals;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_SCHEDULER_H
