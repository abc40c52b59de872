// What the modelled device keeps per recursion level.
//
//   ModelLevel --> LevelTask (one per task present) --> ActiveTask (once its kernels have run at this level)
//                    pre-sync channel, shared             frames, post-sync elements, blocked wavefronts
//
// A post-sync element stands for a frame. It is not in a shared channel: a wavefront hands it over with its end, and
// the aggregator, which alone decides when it is ready, keeps it. So there are never more of them than frames, in any
// order of events, and syncing needs no space.
//
// Thread-safety: one host thread.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODELLEVELS_H
#define CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODELLEVELS_H

#include "core/Counters.h"
#include "core/FrameChannel.h"
#include "core/FramePool.h"
#include "core/LevelSet.h"
#include "executors/model/LevelChannel.h"

namespace cilk2gpu::rt {

struct LevelTask;

/// Who waits for whom, under dependency-counted readiness: one for each wavefront, its restarts included. Which lane
/// spawned a child is not known, so a wavefront's lanes wait for all of its children: more than they must, never less.
///
/// A fresh wavefront's node is complete when it is over and its children and all post-sync elements that come from its
/// tasks are complete; then it completes the elements that it consumed. A post-sync wavefront's node lasts until its
/// children are complete; each of its lanes then goes on, under the node that the lane's task belongs to, or completes.
/// A post-sync element comes from the lane that consumed the same frame.
struct WaveNode {
  uint64_t children; ///< spawned elements that are not complete
  uint64_t posts;    ///< of a fresh wavefront: its tasks that have a post-sync element, or a lane that runs one
  LevelTask *task;
  WaveNode *next; ///< in a list of those to look at
  uint32_t lanes, waiting;
  bool isOver;   ///< neither running nor blocked
  bool isQueued; ///< in that list
  bool isPostSync;

  // Arrays of `lanes` entries follow.
  WaveNode **parents() {
    return reinterpret_cast<WaveNode **>(this + 1);
  } ///< whose element lane i consumed; null: a root
  /// Fresh: frames that wait in post-sync elements, `waiting` of them. Post-sync: what lane i consumed.
  void **frames() { return reinterpret_cast<void **>(parents() + lanes); }
  /// The kernel in which that frame goes on; 0: it does not.
  uint32_t *kernels() { return reinterpret_cast<uint32_t *>(frames() + lanes); }
  static uint64_t bytes(uint64_t lanes) { return sizeof(WaveNode) + lanes * (2 * sizeof(void *) + sizeof(uint32_t)); }
};

/// A wavefront that gave up its context: the lanes that found no space. `frames` and `sites` follow it in memory.
struct SavedWave {
  SavedWave *next;
  LevelTask *task;
  LevelTask *blockedOn; ///< whose pre-sync channel was full
  WaveNode *node;
  uint32_t kernel, lanes, cu;

  void **frames() { return reinterpret_cast<void **>(this + 1); }
  uint32_t *sites() { return reinterpret_cast<uint32_t *>(frames() + lanes); }
  static uint64_t bytes(uint64_t lanes) { return sizeof(SavedWave) + lanes * kLaneBytes; }
  static constexpr uint64_t kLaneBytes = sizeof(void *) + sizeof(uint32_t);
};

struct ActiveTask {
  FramePool frames;
  FrameChannel *posts; ///< [numKernels - 1]
  LevelTask **targets; ///< [numTargets], one level deeper
  SavedWave *firstBlocked, *lastBlocked;
  KernelCounters *counters;
  FrameChannel &post(uint64_t k) { return posts[k - 1]; }
};

struct LevelTask {
  LevelTask *next;       ///< at the same level
  LevelTask *otherLevel; ///< of a queue: at another level; null: there is none
  const TaskInfo *task;
  uint64_t level;
  uint64_t width;
  LevelChannel pre;
  uint32_t reservers;     ///< wavefronts that reserve elements here
  uint64_t elements;      ///< that were ever published here
  uint64_t readySince;    ///< when some were first seen ready, plus one; 0: none are
  uint64_t pledged;       ///< lanes of restarted wavefronts that were blocked on this channel and run again
  LevelTask *nextReclaim; ///< in the aggregator's list of channels to look at
  bool awaitsReclaim;
  ActiveTask *active; ///< null before the first dispatch

  /// Returns whether pre-sync elements that are not done, or blocked wavefronts, are left at this level.
  bool waits() const { return pre.outstanding() || (active && active->firstBlocked); }
  /// Returns whether anything of the task is left at this level: elements that wait, or post-sync elements.
  bool holds() const {
    if (waits())
      return true;
    for (uint32_t k = 1; active && k < task->numKernels; ++k)
      if (active->post(k).channel.size())
        return true;
    return false;
  }
};

struct ModelLevel {
  LevelTask *tasks;
  uint64_t live;    ///< elements published and not done, post-sync elements and blocked lanes: what is left here
  uint32_t running; ///< wavefronts in contexts
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODELLEVELS_H
