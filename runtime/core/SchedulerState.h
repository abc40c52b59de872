// The state that the parts of a scheduler share: settings, memory, levels, and the current position among them.
//
//   Scheduler          runs the loop, and dispatches
//     Pacing           how many lanes a dispatch takes, and when the children run
//     ElisionTrials    which lanes run as their serial elisions
//     DeviceDispatch   dispatches to a device, whose lanes cannot ask for space
//     Stealing         blocks of elements that go to other schedulers, and come from them
//     Levelization     at which level it dispatches, and which post-sync elements are ready
//       SchedulerLevels  the levels, as the order sees them
//
// A part refers to the state that its scheduler derives from. Data that only one part reads belong to the part.
//
// Thread-safety: the scheduler's thread, but for counters and the kernel and level that run, which any thread may read.
// Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_SCHEDULERSTATE_H
#define CILK2GPU_RUNTIME_CORE_SCHEDULERSTATE_H

#include "core/Generator.h"
#include "core/LevelState.h"
#include "core/TaskCounters.h"

namespace cilk2gpu::rt {

class SchedulerState {
public:
  SchedulerState(const Environment &environment, Limits limits);
  SchedulerState(const SchedulerState &) = delete;

  /// Returns the task that an abi::Cursor of a wave's spawns belongs to. The cursor is the first member of a channel,
  /// which is the first member of a TaskLevel.
  static TaskLevel &taskLevelOf(abi::Cursor &cursor) { return reinterpret_cast<TaskLevel &>(cursor); }

  /// Tasks present at level `index`, in a list; null if there are none.
  TaskLevel *tasksAt(uint64_t index) const { return index < numLevels ? levels[index].tasks : nullptr; }
  /// The level with that index; made if it is new.
  Level &level(uint64_t index);
  /// The state of `task` at that level; made if it is new.
  TaskLevel &taskLevel(uint64_t index, const TaskInfo *task);
  /// Makes the state that a task's kernels need at a level.
  ActiveState &makeActive(TaskLevel &state, uint64_t index);

  /// What is known of the elisions of a task at a level; made in `own` if it is new.
  LevelBand &band(const TaskInfo &task, uint64_t index, LevelBand &own);

  /// Makes room for up to `wanted` elements in the channel of `target`; returns for how many: 0 if it is full.
  uint64_t talloc(abi::Cursor &target, uint64_t wanted);
  /// The channel of a kernel's lanes that yielded, with room for `lanes` more.
  OwnedChannel &restartChannel(TaskLevel &state, uint32_t kernel, uint64_t lanes);
  /// Counts lanes that yielded.
  void countYields(ActiveState &active, uint64_t lanes) {
    active.yielded += uint32_t(lanes);
    count(totals.yields, lanes);
  }

  /// Returns whether a task's lanes have left elements one level deeper.
  static bool hasSpawned(const TaskLevel &state);
  /// Returns whether lanes of a task wait for others, or at a sync for nothing. Called with nothing at deeper levels
  /// but elements that this level has spawned.
  static bool awaits(const TaskLevel &state);
  /// Returns whether lanes of any task at the current level wait.
  bool levelAwaits() const;

  /// Makes a level the current one, which reports read from other threads.
  void enter(uint64_t level) { __atomic_store_n(&current, level, __ATOMIC_RELAXED); }
  /// Says which kernel runs; null: none. For reports only, from other threads.
  void announce(const char *kernel) { __atomic_store_n(&kernelName, kernel, __ATOMIC_RELAXED); }
  /// Returns whether other schedulers wait for work. Relaxed: a stale value only makes sharing a little later.
  bool hungry() const { return environment.hungry && __atomic_load_n(environment.hungry, __ATOMIC_RELAXED); }
  uint64_t clock() const { return environment.clock(environment.context); }
  uint64_t ownClock() const { return environment.ownClock(environment.context); }
  [[noreturn]] void internalError(const char *what, uint64_t index);

  /// A wave and the scheduler that dispatched it.
  struct DispatchedWave : RunningWave {
    SchedulerState *scheduler;
  };

  const Environment &environment;
  const Limits limits;
  const PolicyKind policyKind;
  const Policy policy; ///< a copy: a control processor has its table at another address
  Arena arena;
  Arena deviceArena;
  Arena frameArena;
  Arena &data;      ///< for elements: one of the first two
  Arena &frameData; ///< for frames: one of the last two
  Level *levels = nullptr;
  uint64_t numLevels = 0;
  uint64_t current = 0; ///< the level that is dispatched
  uint64_t bottom = 0;  ///< levels deeper than this one hold nothing
  uint64_t lowest = 0;  ///< the level that run() was called for
  bool running = false;
  bool hasQueues = false;     ///< a queue has a channel at some level, or steps choose what runs
  bool hasQueueTasks = false; ///< a queue has a channel at some level
  Generator random;
  DispatchedWave dispatched;
  const TaskLevel *dispatchedTask = nullptr; ///< task of the wave that runs; null: none
  uint64_t lanesInPre = 0;      ///< lanes of the wave that runs which are still elements of the task's pre-sync channel
  uint64_t dispatchedLanes = 0; ///< fresh and post-sync
  const char *kernelName = nullptr; ///< of the wavefront that runs; null: none
  TaskCounters taskCounters;
  Counters totals;
};

inline bool SchedulerState::hasSpawned(const TaskLevel &state) {
  for (uint32_t t = 0; t < state.task->numTargets; ++t)
    if (taskLevelOf(*state.active->spawns[t]).pre.size())
      return true;
  return false;
}

inline bool SchedulerState::awaits(const TaskLevel &state) {
  for (uint32_t k = 1; k < state.task->numKernels; ++k)
    if (state.active->post(k).channel.size())
      return true;
  return hasSpawned(state);
}

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_SCHEDULERSTATE_H
