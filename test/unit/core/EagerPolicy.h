// A policy that only a test has: one file, which the build names as the header of extra policies (core/Policies.h). It
// runs tasks like a recursion: one at a time, with its children next.
#ifndef CILK2GPU_TEST_UNIT_CORE_EAGERPOLICY_H
#define CILK2GPU_TEST_UNIT_CORE_EAGERPOLICY_H

#include "core/Policy.h"

namespace cilk2gpu::rt {

struct EagerPolicy : PolicyBase {
  static constexpr Policy kPolicy = {
      .name = "eager",
      .order = "one task, then its children",
      .ready = "when nothing deeper is left",
      .levels = LevelOrder::OneAtATime,
      .readiness = abi::ReadinessKind::DrainedBelow,
      .countedPer = CountedPer::Nothing,
      .endsFirst = true,
      .measures = false,
      .elides = false,
  };

  template <typename Level> static uint64_t lanesAtOnce(const Level &) { return 1; }
  template <typename Level> static bool descends(const Level &level) { return level.started() >= 1; }
};

} // namespace cilk2gpu::rt

#define CILK2GPU_EXTRA_POLICIES(POLICY) POLICY(Eager)

#endif // CILK2GPU_TEST_UNIT_CORE_EAGERPOLICY_H
