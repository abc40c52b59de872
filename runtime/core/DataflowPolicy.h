// Like levelized, but the edges of the graph decide when a post-sync element goes on. It does not wait for deeper
// elements that its own dependencies do not cover.
#ifndef CILK2GPU_RUNTIME_CORE_DATAFLOWPOLICY_H
#define CILK2GPU_RUNTIME_CORE_DATAFLOWPOLICY_H

#include "core/Policy.h"

namespace cilk2gpu::rt {

struct DataflowPolicy : PolicyBase {
  static constexpr Policy kPolicy = {
      .name = "dataflow",
      .order = "As levelized, but post-sync elements that are ready run before the level below does.",
      .ready = "when nothing deeper is left of the tasks that its dependency covers",
      .levels = LevelOrder::OneAtATime,
      .readiness = abi::ReadinessKind::DrainedBelow,
      .countedPer = CountedPer::Nothing,
      .endsFirst = false,
      .measures = false,
      .elides = false,
      .followsEdges = true,
  };
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_DATAFLOWPOLICY_H
