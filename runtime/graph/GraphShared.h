// The state that the parts of a hand-written graph's device share.
//
// Thread-safety: a single host thread.
#ifndef CILK2GPU_RUNTIME_GRAPH_GRAPHSHARED_H
#define CILK2GPU_RUNTIME_GRAPH_GRAPHSHARED_H

#include "graph/GraphMachine.h"

namespace cilk2gpu::rt {

struct GraphShared {
  const Environment &environment;
  Arena &arena;
  GraphMachine &machine;
  const uint32_t wave, doneCount;
  GraphReport &report;
  GraphCounters &totals;
  bool isAwake = true; ///< an event has happened since the aggregator last had no action to do
};

template <typename T> T *allocateZeroed(Arena &arena, uint64_t count) {
  T *result = static_cast<T *>(arena.allocate(count * sizeof(T), alignof(T)));
  for (uint64_t i = 0; i < count; ++i)
    result[i] = T{};
  return result;
}

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_GRAPH_GRAPHSHARED_H
