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
#ifndef CILK2GPU_RUNTIME_CORE_LEVELSTATE_H
#define CILK2GPU_RUNTIME_CORE_LEVELSTATE_H

#include "core/Counters.h"
#include "core/FramePool.h"
#include "core/OwnedChannel.h"
#include "core/TaskTable.h"

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
  TaskLength length;
  bool isKnown;   ///< whatever the lanes take that are looked at
  bool isLeaf;    ///< the last lanes spawned nothing
  uint32_t lanes; ///< that are looked at until they are done; 0: none
  uint64_t start; ///< when they started, on Environment::clock
};

/// Whether the tasks of a level run as their serial elisions, with all that they would spawn: if that takes less time.
/// Now and then that is tried, with lanes of one block: first the elision, with some neighbours from anywhere in it,
/// then the graph with the rest. A level's subtrees differ, and what waits there changes.
struct Elision {
  uint64_t graph;      ///< what a lane took in the graph in the last trial, in sixteenths of a nanosecond; 0: none yet
  uint64_t elided;     ///< the same of the elision
  uint64_t shares;     ///< of the graph in what both ways took in a trial, in 65536ths, times `weights`; summed up
  uint64_t weights;    ///< lanes of those trials, the older the less
  uint64_t started;    ///< Environment::ownClock when the graph's lanes started; 0: the other clock is enough
  uint64_t handedOver; ///< Counters::stolen_blocks when the graph's lanes started
  uint32_t trials;
  uint32_t lanes;               ///< that ran as elisions in the trial that is under way; 0: there is none
  uint32_t wait;                ///< dispatches until the next trial
  uint64_t sumGraph, sumElided; ///< of long leaves: of all trials since the last decision
  bool isLeaf;                  ///< lanes are long, and nearly all of what they take is their own
  bool watches;                 ///< lanes of the graph that are under way, for a trial
  bool chosen;

  void addElided(uint64_t took, uint64_t of);
  void addUntried(uint64_t took, uint64_t before);
  /// The graph's lanes of a trial are done.
  void addGraph(uint64_t took, uint64_t of);
  /// Of the graph in what both ways take, in 65536ths.
  uint64_t share() const { return weights ? shares / weights : 0; }

private:
  void endTrial(bool choice);
  void endLeafTrial();
};

/// What its pointers point to, but the counters and the restarts, follows it in the same block.
struct ActiveState {
  FramePool frames;
  FrameChannel **restarts; ///< [numKernels], null until a lane of that kernel yields; null until any lane does
  abi::Cursor **syncs;     ///< [numKernels], for abi::Wave
  abi::Cursor **spawns;    ///< [numTargets], for abi::Wave
  KernelCounters *counters;
  Elision *elision; ///< null as long as few dispatches ran
  Pace pace;
  uint32_t yielded;       ///< elements in all restart channels
  uint32_t block;         ///< lanes of one dispatch, a power of two of wavefronts
  uint32_t starts;        ///< dispatches of pre-sync lanes at this level
  uint32_t unasked;       ///< of these that are the graph's, without asking again whether elisions would take less time
  uint32_t spawnsPerLane; ///< of a device: elements for which a dispatch makes room in each channel, per lane
  uint32_t wideBefore;    ///< Scheduler::wideDispatches when pre-sync lanes last came here
  uint32_t narrowVisits;  ///< so many times they have come since then, or a few more

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

#endif // CILK2GPU_RUNTIME_CORE_LEVELSTATE_H
