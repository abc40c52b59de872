// Help-first until a channel of the children is more than half full, then work-first.
#ifndef CILK2GPU_RUNTIME_CORE_HYBRIDPOLICY_H
#define CILK2GPU_RUNTIME_CORE_HYBRIDPOLICY_H

#include "core/Policy.h"

namespace cilk2gpu::rt {

struct HybridPolicy : PolicyBase {
  static constexpr Policy kPolicy = {
      .name = "hybrid",
      .order =
          "A level runs (help-first) until a channel one level deeper is more than half full. Then the deeper level "
          "runs (work-first).",
      .ready = "when nothing deeper is left",
      .levels = LevelOrder::Switching,
      .readiness = abi::ReadinessKind::DrainedBelow,
      .countedPer = CountedPer::Nothing,
      .endsFirst = false,
      .measures = false,
      .elides = false,
  };

  template <typename Level> static bool descends(const Level &level) { return level.isHalfFullBelow(); }
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_HYBRIDPOLICY_H
