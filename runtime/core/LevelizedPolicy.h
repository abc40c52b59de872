// The paper's policy, help-first: all lanes of a level run before their children do.
#ifndef CILK2GPU_RUNTIME_CORE_LEVELIZEDPOLICY_H
#define CILK2GPU_RUNTIME_CORE_LEVELIZEDPOLICY_H

#include "core/Policy.h"

namespace cilk2gpu::rt {

struct LevelizedPolicy : PolicyBase {
  static constexpr Policy kPolicy = {
      .name = "levelized",
      .order =
          "One level runs until nothing of it can be dispatched and nothing of it runs. Then the level below runs. "
          "This is the paper's policy, help-first.",
      .ready = "when nothing deeper is left",
      .levels = LevelOrder::OneAtATime,
      .readiness = abi::ReadinessKind::DrainedBelow,
      .countedPer = CountedPer::Nothing,
      .endsFirst = false,
      .measures = false,
      .elides = false,
  };
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_LEVELIZEDPOLICY_H
