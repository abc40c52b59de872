// A policy decides what a scheduler dispatches next: the level, and the number of its tasks before their children run.
// It also decides when a post-sync element is ready. All executors read the same policies.
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
//   isFullBelow()      the channels one level deeper had no room for the last dispatch as it was wanted
//   taskLength()       how long the lanes of the task take; always Short where the policy does not measure it
//   isMeasured()       lanes that ran are watched until all that they spawned is done
//   isVectorised()     the task's pre-sync kernel runs lanes in vectors
//   feedsVectors()     so do the pre-sync kernels of all tasks that it spawns
//
// Thread-safety: constants and functions without state. Freestanding: firmware and GPUs have the same policies.
#ifndef CILK2GPU_RUNTIME_CORE_POLICY_H
#define CILK2GPU_RUNTIME_CORE_POLICY_H

// The runtime is compiled with hidden visibility. Functions that compiled programs call are not hidden.
#pragma GCC visibility push(default)
#include "cilk2gpu/abi/Records.h"
#pragma GCC visibility pop

namespace cilk2gpu::rt {

/// Choice of the level that runs. An executor that runs one level at a time asks the policy after each dispatch whether
/// the children run next (PolicyBase::descends). If so, they all run before more of the level does.
enum class LevelOrder : uint8_t {
  OneAtATime,   ///< one level until nothing of it can be dispatched and nothing of it runs, then the level below
  DeepestFirst, ///< any level, deepest first
  Switching,    ///< the shallowest level whose children do not have to run first, else the deepest
};

/// The owner of a count of children that are not done, where ReadinessKind::ChildCount is the readiness.
enum class CountedPer : uint8_t {
  Nothing,   ///< children are not counted
  Task,      ///< a task waits for its own children
  Wavefront, ///< a task waits for the children of all tasks of its wavefront
};

/// Time that the lanes of a task take, in classes (Tunables.h: kSlowTask, kSlowSubtree).
enum class TaskLength : uint8_t {
  Short,       ///< neither of the following
  LongSubtree, ///< long with all that they spawn
  Long,        ///< long by themselves
};

/// The parts of a policy that are data.
struct Policy {
  const char *name;  ///< value of CILK2GPU_POLICY
  const char *order; ///< which level runs, for the documentation
  const char *ready; ///< when a post-sync element is ready, for the documentation
  LevelOrder levels;
  abi::ReadinessKind readiness;
  CountedPer countedPer;
  bool endsFirst; ///< tasks whose children are done go on before more tasks of their level start
  bool measures;  ///< looks at a clock, to find how long tasks take
  bool elides;    ///< runs tasks as their serial elisions where trials find that faster (Elide::Cheaper)
  /// Post-sync elements whose own dependencies are drained go on before the executor goes deeper, although other work
  /// is left there. Of executors that run one level at a time.
  bool followsEdges = false;
};

/// Functions of a policy that does not define them itself.
struct PolicyBase {
  /// The most pre-sync lanes of one dispatch.
  template <typename Level> static uint64_t lanesAtOnce(const Level &) { return ~uint64_t(0); }

  /// Returns whether the children of the lanes that ran run before more lanes of the level start.
  template <typename Level> static bool descends(const Level &) { return false; }
};

/// The abilities of an executor that policies need.
struct PolicySupport {
  bool hasClock;       ///< a scheduler may look at a clock at each dispatch
  bool countsChildren; ///< children are counted for each wavefront

  constexpr bool suffices(const Policy &policy) const {
    return (hasClock || !policy.measures) && (countsChildren || policy.readiness != abi::ReadinessKind::ChildCount);
  }
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_POLICY_H
