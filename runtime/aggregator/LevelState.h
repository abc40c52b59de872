// What a scheduler keeps per recursion level.
//
//   Level --> TaskLevel (one per task present) --> ActiveState (once its kernels have run at this level)
//               pre-sync channel                     frames, post-sync and restart channels, the wave's pointers
//
// Recursion may be 100,000 levels deep, hence two stages, each in one block, of numbers no wider than kMaxWidth needs:
// a TaskLevel exists as soon as a parent may spawn into it and costs some 80 bytes; the rest comes with the first
// dispatch. All of it stays for the next time the level is reached.
//
// Thread-safety: the owning scheduler's, except StealState::stolen.
#ifndef CILK2GPU_RUNTIME_AGGREGATOR_LEVELSTATE_H
#define CILK2GPU_RUNTIME_AGGREGATOR_LEVELSTATE_H

#include "aggregator/Counters.h"
#include "aggregator/FramePool.h"
#include "aggregator/TaskTable.h"
#include "channel/OwnedChannel.h"

namespace cilk2gpu::rt {

class Scheduler;

/// Elements that stand for frames: post-sync elements (one column) and restarts (two, the second a uint32_t site).
/// Their number is bounded by the number of frames, so these channels need no bound of their own.
struct FrameChannel {
  OwnedChannel channel;
  void *columns[2];
  uint64_t ready; ///< of a post-sync channel: leading elements whose children are done
};

/// Whether pre-sync lanes take long at a level, with all that they spawn: looked at in the first dispatches, and now
/// and then later. Until it is known, those that run lane by lane are taken for long.
struct Pace {
  enum Length : uint8_t { Short, LongSubtree, Long }; ///< Long: by themselves
  Length length;
  uint32_t lanes; ///< that are looked at until they are done; 0: none
  uint64_t start; ///< when they started, on Environment::clock
};

/// What its pointers point to, but the counters and the restarts, follows it in the same block.
struct ActiveState {
  FramePool frames;
  FrameChannel **restarts; ///< [numKernels], null until a lane of that kernel yields; null until any lane does
  abi::Cursor **syncs;     ///< [numKernels], for abi::Wave
  abi::Cursor **spawns;    ///< [numTargets], for abi::Wave
  KernelCounters *counters;
  Pace pace;
  uint32_t yielded;       ///< elements in all restart channels
  uint32_t block;         ///< lanes of one dispatch, a power of two of wavefronts
  uint32_t starts;        ///< dispatches of pre-sync lanes at this level, where there was more than one
  uint32_t spawnsPerLane; ///< of a device: elements for which a dispatch makes room in each channel, per lane

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
  uint32_t turned;     ///< TaskOrder::Reversed: how many elements are left of those that were turned round
};

/// Bookkeeping of a level that took part in work stealing.
struct StealState {
  uint32_t stolen;     ///< blocks given away whose subtrees are not done; decremented by others, atomic
  Scheduler *creditor; ///< whose block runs at this level; null if none
  uint32_t *owed;      ///< creditor's counter
};

struct Level {
  TaskLevel *tasks;
  StealState *steal; ///< null until needed; its address does not change
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_AGGREGATOR_LEVELSTATE_H
