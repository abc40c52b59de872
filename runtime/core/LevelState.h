// The state of a scheduler's recursion levels.
//
//   Level --> TaskLevel (one per task present) --> ActiveState (once its kernels have run at this level)
//               pre-sync channel                     frames, post-sync and restart channels, the wave's pointers
//
// Recursion may be 100,000 levels deep, so the state comes in two stages. A TaskLevel exists as soon as a parent may
// spawn into it, and takes some 80 bytes. Its ActiveState comes with the first dispatch. Each is one block, of numbers
// no wider than kMaxWidth needs. Both stay for the next time that the level is reached.
//
// Deep levels that follow each other form a band. A task's levels of a band share what was learnt of its elisions
// (LevelBand). A deep recursion visits each level a few times only, so no level could learn enough by itself.
//
// Thread-safety: the owning scheduler's, except StealState::stolen. Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_LEVELSTATE_H
#define CILK2GPU_RUNTIME_CORE_LEVELSTATE_H

#include "core/Counters.h"
#include "core/Elision.h"
#include "core/FrameChannel.h"
#include "core/FramePool.h"
#include "core/TaskTable.h"

namespace cilk2gpu::rt {

class Scheduler;

/// Time that the pre-sync lanes of a task take at a level. Pacing measures it in the first dispatches, and now and then
/// later. Until it is known, lanes that run one after the other are taken for long.
struct Pace {
  TaskLength length;
  bool isKnown;     ///< `length` is final, whatever time the measured lanes take until all that they spawned is done
  bool isChildless; ///< the last lanes spawned nothing
  uint32_t lanes;   ///< lanes that are measured until all that they spawned is done; 0: none
  uint64_t start;   ///< when they started, on Environment::clock
};

/// What is known of the elisions of a task's pre-sync lanes at one level, or at all levels of a band.
struct LevelBand {
  Elision *elision;                       ///< null as long as few dispatches ran
  uint32_t early = tunables::kFirstTrial; ///< questions about short lanes that are still too early for a trial
  uint32_t unasked;                       ///< dispatches that run in the graph until ElisionTrials is asked again
  uint32_t wideBefore;                    ///< ElisionTrials::wideDispatches at the last visit of pre-sync lanes
  uint32_t narrowPasses; ///< passes since the last wide dispatch, or a few more: visits, but for visits of ever deeper
                         ///< levels
  uint64_t visited = ~uint64_t(0); ///< the level of the last visit
  const TaskInfo *task;
  LevelBand *next; ///< of another task; null: none

  /// Lets the next dispatch ask ElisionTrials.
  void ask() { unasked = early = 0; }
  /// Returns the number of levels of the band that holds level `index`. The first kSingleLevels levels are bands of
  /// their own. A deeper band has a kBandPart-th of the levels above it, rounded down to a power of two.
  static uint64_t levelsAt(uint64_t index) {
    return index < tunables::kSingleLevels ? 1 : (uint64_t(1) << (63 - __builtin_clzll(index))) / tunables::kBandPart;
  }
  /// Returns the first level of the band that holds level `index`.
  static uint64_t firstOf(uint64_t index) { return index & ~(levelsAt(index) - 1); }
};

/// The part of a TaskLevel that dispatches need. The arrays of its pointers follow it in the same block, except for the
/// counters and the restarts.
struct ActiveState {
  FramePool frames;
  FrameChannel **restarts; ///< [numKernels], null until a lane of that kernel yields; null until any lane does
  abi::Cursor **syncs;     ///< [numKernels], for abi::Wave
  abi::Cursor **spawns;    ///< [numTargets], for abi::Wave
  KernelCounters *counters;
  LevelBand *band; ///< `own`, or that of another level of the band
  LevelBand own;   ///< used if this level was the first of its band that ran
  Pace pace;
  uint32_t yielded;       ///< elements in all restart channels
  uint32_t block;         ///< lanes of one dispatch, a power of two of wavefronts
  uint32_t starts;        ///< dispatches of pre-sync lanes at this level
  uint64_t taken;         ///< pre-sync lanes that have run, in the graph or as elisions
  uint64_t started;       ///< those that have run in the graph
  uint32_t spawnsPerLane; ///< of a device: elements for which a dispatch makes room in each channel, per lane
  uint32_t laneTime;      ///< nanoseconds that a lane took by itself when it was last measured, at least 1 and at most
                          ///< 2^32 - 1; 0: never measured

  /// The channel that feeds kernel k >= 1.
  FrameChannel &post(uint64_t k) { return reinterpret_cast<FrameChannel *>(this + 1)[k - 1]; }

  /// Bytes of the block.
  static uint64_t bytes(const TaskInfo &task) {
    return sizeof(ActiveState) + (task.numKernels - 1) * sizeof(FrameChannel) +
           (uint64_t(task.numKernels) + task.numTargets) * sizeof(void *);
  }
};

struct TaskLevel {
  OwnedChannel pre; ///< first member: the Cursor in a wave's spawns is this TaskLevel's address
  TaskLevel *next;  ///< at the same level
  const TaskInfo *task;
  ActiveState *active; ///< null before the first dispatch
  uint32_t width;      ///< elements, and frames, that the task may have at this level
  uint32_t turned;     ///< TaskOrder::Reversed: elements left of the elements that were turned round

  /// Returns whether pre-sync elements, or lanes that yielded, wait at this level.
  bool waits() const { return pre.size() || (active && active->yielded); }
  /// Returns whether anything of the task is left at this level: elements that wait, or post-sync elements.
  bool holds() const;
};

inline bool TaskLevel::holds() const {
  if (waits())
    return true;
  for (uint32_t k = 1; active && k < task->numKernels; ++k)
    if (active->post(k).channel.size())
      return true;
  return false;
}

/// Bookkeeping of a level that took part in work stealing.
struct StealState {
  uint32_t stolen;     ///< blocks given away whose subtrees are not done; decremented by others, atomic
  Scheduler *creditor; ///< whose block runs at this level; null if none
  uint32_t *owed;      ///< creditor's counter
};

struct Level {
  TaskLevel *tasks;
  LevelBand *bands;  ///< of the tasks, if the level is the first of a band of several levels
  StealState *steal; ///< null until needed; its address does not change
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_LEVELSTATE_H
