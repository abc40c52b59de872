// Work-first. A post-sync element waits for a count of children, not for a drained level.
#ifndef CILK2GPU_RUNTIME_CORE_COUNTEDPOLICY_H
#define CILK2GPU_RUNTIME_CORE_COUNTEDPOLICY_H

#include "core/Policy.h"

namespace cilk2gpu::rt {

struct CountedPolicy : PolicyBase {
  static constexpr Policy kPolicy = {
      .name = "counted",
      .order = "The deepest level comes first (work-first).",
      .ready = "when all children of its wavefront are complete: children are counted per wavefront",
      .levels = LevelOrder::DeepestFirst,
      .readiness = abi::ReadinessKind::ChildCount,
      .countedPer = CountedPer::Wavefront,
      .endsFirst = false,
      .measures = false,
      .elides = false,
  };
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_COUNTEDPOLICY_H
