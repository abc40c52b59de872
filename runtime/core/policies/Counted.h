// Work-first, with a count of children in the place of levels that are drained.
#ifndef CILK2GPU_RUNTIME_CORE_POLICIES_COUNTED_H
#define CILK2GPU_RUNTIME_CORE_POLICIES_COUNTED_H

#include "core/Policy.h"

namespace cilk2gpu::rt {

struct CountedPolicy : PolicyBase {
  static constexpr Policy kPolicy = {
      .name = "counted",
      .order = "the deepest level (work-first)",
      .ready = "when the count of its wavefront's children that are not complete is zero",
      .levels = LevelOrder::DeepestFirst,
      .readiness = abi::ReadinessKind::ChildCount,
      .countedPer = CountedPer::Wavefront,
      .endsFirst = false,
      .measures = false,
      .elides = false,
  };
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_POLICIES_COUNTED_H
