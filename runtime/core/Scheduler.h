// The aggregator: a table-driven scheduler that runs channel-flow graphs in bounded memory.
//
// A task at level d spawns into channels of level d + 1. Every turn of the loop dispatches what the current level can
// run, in wavefronts of up to Limits::wave lanes, in this order:
//
//   1. post-sync elements that are ready: their frames can then serve pre-sync elements;
//   2. lanes that yielded;
//   3. pre-sync elements, as their serial elisions where that is faster.
//
// Then the scheduler goes one level deeper, if something was spawned there. It does so before all of its level is
// dispatched when a lane yields, or when the policy says that the children run first (Policy.h). It comes back when
// everything deeper is done; only then the post-sync elements of the level become ready. It leaves a level upwards when
// the level is empty. It is one loop with a current level: nothing here recurses, and kernels never call back into it.
//
// Bounds: per level and task, at most Limits::width pre-sync elements and as many frames; post-sync and restart
// elements stand for frames. Progress: a lane always finds a frame. A restarted lane finds every channel one level
// deeper empty. So it spawns at least one element before it yields again. Width 1 is enough for every program.
//
// The scheduler's parts are listed in SchedulerState.h.
//
// Thread-safety: one thread at a time. Any thread may read the counters, and the kernel and the level that run.
// Stealing::give() also writes the receiving scheduler, which must be waiting.
// Freestanding: includes freestanding headers only, calls nothing but its Environment.
//
//   Scheduler s(environment, {64, 4096});
//   abi::Cursor *root = s.root(task);   // fill the element, then ++root->next
//   s.run(0);
#ifndef CILK2GPU_RUNTIME_CORE_SCHEDULER_H
#define CILK2GPU_RUNTIME_CORE_SCHEDULER_H

#include "core/CallsInPlace.h"
#include "core/DeviceDispatch.h"
#include "core/FormTrials.h"
#include "core/MemoryBound.h"
#include "core/Pacing.h"
#include "core/SchedulerLevels.h"
#include "core/StepOrder.h"

namespace cilk2gpu::rt {

class Scheduler : private SchedulerState {
public:
  /// `environment` outlives the scheduler.
  Scheduler(const Environment &environment, Limits limits);
  Scheduler(const Scheduler &) = delete;
  Scheduler &operator=(const Scheduler &) = delete;

  /// A cursor with room for one more element of `task` at level 0, or null if that channel is full.
  abi::Cursor *root(const TaskInfo *task);

  /// Runs until level `base` and all deeper levels are empty. Returns false if Environment::pause had it left before;
  /// goOn() then goes on. In the first `probeFor` nanoseconds, while others are hungry, the first wavefront at each new
  /// level has one lane. If tasks turn out to take long, the other tasks are still there to be shared.
  bool run(uint64_t base, uint64_t probeFor = 0);
  bool goOn();

  /// Memory for storage of variable size of the tasks that run here (TaskLocals.h).
  Arena &memory() { return arena; }

  /// Blocks that go to other schedulers and come from them.
  Stealing &stealing() { return stealingPart; }

  /// Adds up this scheduler's counters. May be called by any thread; while run() is in progress they lag.
  Counters counters(const TaskTable &tasks) const;

  /// Counters of `task`'s kernels; null if it never ran here.
  const KernelCounters *kernelCounters(const TaskInfo &task) const { return taskCounters.find(task); }

  /// Elements spawned and dispatched so far, and the kernel and the level that run: for a watchdog, from any thread.
  uint64_t progress() const { return read(totals.spawned) + read(dispatchedLanes); }
  const char *runningKernel() const { return __atomic_load_n(&kernelName, __ATOMIC_RELAXED); }
  uint64_t runningLevel() const { return __atomic_load_n(&current, __ATOMIC_RELAXED); }

  /// The most memory that this scheduler could have taken for the levels that it reached (MemoryBound.h). While run()
  /// is not in progress.
  MemoryBounds memoryBounds() const { return levelsBounds(*this, device.returnedFrames()); }

  /// Called in a kernel that runs, before something that may take long, while *Environment::hungry is not zero. May
  /// give elements away.
  void offer();
  /// Returns the scheduler that has dispatched a wave to its own thread.
  static Scheduler &of(RunningWave &wave) {
    return static_cast<Scheduler &>(*static_cast<DispatchedWave &>(wave).scheduler);
  }

  /// Counters that the caller of run() keeps.
  Counters &hostCounters() { return totals; }

  /// Into how many tasks a cilk_for is cut that starts in the kernel that runs. Called by its thread.
  uint64_t loopTasks() const;
  /// Returns whether other workers may take a part of the work.
  bool hasOthers() const { return environment.hungry; }

  /// Environment::context.
  void *context() const { return environment.context; }
  uint32_t wave() const { return limits.wave; }
  bool elidesAll() const { return limits.elide == Elide::Always; }

  /// Says that run() is over although it did not return. Its thread does not exist in this process any more, but it had
  /// emptied its levels. Only after fork.
  void rest() { running = false; }

  /// Releases all memory. Nothing else may be called afterwards.
  void destroy() {
    arena.destroy();
    deviceArena.destroy();
    frameArena.destroy();
  }

private:
  friend struct ControlAccess; // firmware/Shared.h
  friend class StepDispatch;

  /// Deeper: the lanes that ran have spawned, and their children run before more of this level does.
  enum class Progress { None, Dispatched, Deeper, Yielded };

  static uint64_t tallocInWave(abi::Wave *wave, uint32_t target, uint64_t wanted);

  ActiveState &activate(TaskLevel &state, uint64_t index);
  Progress dispatchLevel(uint64_t index);
  Progress dispatchQueues(uint64_t index);
  Progress restartYielded(TaskLevel &state);
  Progress dispatchFresh(TaskLevel &state, uint64_t index);
  Progress dispatchReady(TaskLevel &state);
  inline bool elideSome(TaskLevel &state, uint64_t available, bool &isTrial);
  inline Progress runFresh(TaskLevel &state, uint64_t lanes, bool fillsBelow);
  uint64_t rearrange(TaskLevel &state, uint64_t lanes);
  bool framesMissing(TaskLevel &state, ActiveState &active, uint64_t &lanes);
  bool runWave(TaskLevel &state, abi::KernelFn entry, OwnedChannel &source, uint64_t lanes, uint32_t kernel);
  void runOnHost(TaskLevel &state, const KernelInfo &info, abi::KernelFn entry, uint64_t lanes, uint64_t available);
  void countFrames(ActiveState &active, uint64_t freeBefore);
  uint64_t wavefronts(uint64_t lanes) const { return (lanes + limits.wave - 1) / limits.wave; }
  void share();
  bool leaveLevel();

  bool spawnedInto(uint64_t index);

  ElisionTrials elisions;
  CallsInPlace inPlace;
  FormTrials forms;
  Pacing pacing;
  DeviceDispatch device;
  Stealing stealingPart;
  SchedulerLevels levelsPart;
  Levelization<SchedulerLevels> order;
  StepOrder stepOrder;
  uint64_t framesInUse = 0;
  abi::Cursor yields; ///< restarts of the wave that runs, saved to its channel afterwards
  void *yieldColumns[2];
  void *yieldFrames[abi::kMaxLanes];
  uint32_t yieldSites[abi::kMaxLanes];
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_SCHEDULER_H
