// A policy decides which level a scheduler dispatches next, and how many of its tasks run before their children. It
// also decides when a post-sync element is ready. All executors use the same policies.
//
// A policy is a class without data in a file of its own, such as HelpFirstPolicy.h, and a line in the registry,
// Policies.h:
//
//   struct HelpFirstPolicy : PolicyBase {
//     static constexpr Policy kPolicy = {.name = "help-first", .levels = LevelOrder::OneAtATime, ...};
//     template <typename Level> static bool descends(const Level &level) { return level.started() >= 64; }
//   };
//
// A policy's functions see a level through the argument `level`, which has these functions:
//
//   started()          pre-sync lanes that ran since the scheduler came to the level
//   isHalfFullBelow()  a channel one level deeper is more than half full
//   isFullBelow()      the channels one level deeper had too little room for the last dispatch
//   taskLength()       class of the time that a lane of the task takes; always Short if the policy does not measure
//   isMeasured()       lanes that ran are being measured until their descendants are done
//   isVectorised()     the task's pre-sync kernel runs lanes in vectors
//   feedsVectors()     the pre-sync kernels of the task and of its children run lanes in vectors
//
// Thread-safety: constants and functions without state. Freestanding: firmware and GPUs have the same policies.
#ifndef CILK2GPU_RUNTIME_CORE_POLICY_H
#define CILK2GPU_RUNTIME_CORE_POLICY_H

// The runtime is compiled with hidden visibility. Functions that compiled programs call are not hidden.
#pragma GCC visibility push(default)
#include "cilk2gpu/abi/Records.h"
#pragma GCC visibility pop

namespace cilk2gpu::rt {

/// Choice of the level that runs. After each dispatch, an executor that runs one level at a time asks the policy
/// whether the children run next (PolicyBase::descends). If so, all children run before more of the level.
enum class LevelOrder : uint8_t {
  OneAtATime,   ///< one level until none of its elements runs or can be dispatched, then the level below
  DeepestFirst, ///< any level, deepest first
  Switching,    ///< the shallowest level whose children do not have to run first, else the deepest
};

/// Owner of the count of unfinished children, if the readiness is ReadinessKind::ChildCount.
enum class CountedPer : uint8_t {
  Nothing,   ///< children are not counted
  Task,      ///< a task waits for its own children
  Wavefront, ///< a task waits for the children of all tasks of its wavefront
};

/// Class of the time that a lane of a task takes (Tunables.h: kSlowTask, kSlowSubtree).
enum class TaskLength : uint8_t {
  Short,       ///< neither of the following
  LongSubtree, ///< long with the descendants
  Long,        ///< long without the descendants
};

/// The parts of a policy that are data.
struct Policy {
  const char *name;  ///< value of CILK2GPU_POLICY
  const char *order; ///< the order of levels, for the documentation
  const char *ready; ///< when a post-sync element is ready, for the documentation
  LevelOrder levels;
  abi::ReadinessKind readiness;
  CountedPer countedPer;
  bool endsFirst; ///< tasks with finished children go on before more tasks of their level start
  bool measures;  ///< measures with a clock how long tasks take
  bool elides;    ///< runs tasks as their serial elisions if trials show that this is faster (Elide::Cheaper)
  /// For executors that run one level at a time: post-sync elements whose own dependencies are drained go on before the
  /// executor goes deeper, although other elements are left there.
  bool followsEdges = false;
};

/// Default functions of policies.
struct PolicyBase {
  /// Returns the most pre-sync lanes of one dispatch.
  template <typename Level> static uint64_t lanesAtOnce(const Level &) { return ~uint64_t(0); }

  /// Returns whether the children of earlier lanes run before more lanes of the level start.
  template <typename Level> static bool descends(const Level &) { return false; }
};

/// The abilities of an executor that policies need.
struct PolicySupport {
  bool hasClock;       ///< a scheduler may read a clock at each dispatch
  bool countsChildren; ///< children are counted for each wavefront

  constexpr bool suffices(const Policy &policy) const {
    return (hasClock || !policy.measures) && (countsChildren || policy.readiness != abi::ReadinessKind::ChildCount);
  }
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_POLICY_H
