// The policy of workers that measure time. It runs enough short tasks to make the cost of a dispatch small, and then
// their children. Long tasks run depth first, so that the memory that they touch stays small. Tasks whose serial
// elisions take less time run as their elisions.
#ifndef CILK2GPU_RUNTIME_CORE_ADAPTIVEPOLICY_H
#define CILK2GPU_RUNTIME_CORE_ADAPTIVEPOLICY_H

#include "core/Policy.h"
#include "core/Tunables.h"

namespace cilk2gpu::rt {

struct AdaptivePolicy : PolicyBase {
  static constexpr Policy kPolicy = {
      .name = "adaptive",
      .order = "A block of a level runs, then its children. Tasks that take long go depth first. Tasks whose serial "
               "elisions take less time run as their elisions.",
      .ready = "when nothing deeper is left",
      .levels = LevelOrder::OneAtATime,
      .readiness = abi::ReadinessKind::DrainedBelow,
      .countedPer = CountedPer::Nothing,
      .endsFirst = true,
      .measures = true,
      .elides = true,
  };

  /// Returns few lanes for long tasks: one wavefront if the kernel has vectors, else one lane, as in the elision.
  template <typename Level> static uint64_t lanesBeforeDescent(const Level &level) {
    if (level.taskLength() == TaskLength::Long)
      return level.isVectorised() ? abi::kMaxWave : 1;
    if (level.taskLength() == TaskLength::LongSubtree)
      return 1;
    return level.feedsVectors() ? tunables::kVectorLanes : tunables::kScalarLanes;
  }

  /// Lets short tasks in vectors fill a whole block. Its children then form large blocks, too, and its elements are
  /// contiguous.
  template <typename Level> static uint64_t lanesAtOnce(const Level &level) {
    bool takesBlock = level.taskLength() == TaskLength::Short && level.feedsVectors();
    return takesBlock ? PolicyBase::lanesAtOnce(level) : lanesBeforeDescent(level);
  }

  /// Returns true when enough lanes ran to fill dispatches below, or when there is no room for the children of more
  /// lanes.
  template <typename Level> static bool descends(const Level &level) {
    return level.taskLength() != TaskLength::Short || level.isMeasured() || level.isFullBelow() ||
           level.started() >= lanesBeforeDescent(level);
  }
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_ADAPTIVEPOLICY_H
