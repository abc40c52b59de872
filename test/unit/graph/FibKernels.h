// Kernels of a hand-written graph that computes Fibonacci numbers, as in Figure 12 of the paper (docs/graph.md).
#ifndef CILK2GPU_TEST_UNIT_GRAPH_FIBKERNELS_H
#define CILK2GPU_TEST_UNIT_GRAPH_FIBKERNELS_H

#include "cilk2gpu/Graph.h"

namespace cilk2gpu::test {

struct Call {
  int n;
  int64_t *result;
};

struct Sum {
  int64_t x, y, *result;
};

inline void fib(int id, int offset, int sums) {
  auto *call = static_cast<Call *>(deq(id, offset));
  int level = levelOf(id, offset);
  if (call->n <= 2) {
    *call->result = 1;
  } else {
    auto *sum = static_cast<Sum *>(talloc(sums, level, 1));
    auto *calls = static_cast<Call *>(talloc(id, 2));
    sum->result = call->result;
    calls[0] = {call->n - 1, &sum->x};
    calls[1] = {call->n - 2, &sum->y};
    enq(id, calls);
    enq(sums, sum);
  }
  tfree(id, offset);
}

inline void add(int id, int offset) {
  auto *sum = static_cast<Sum *>(deq(id, offset));
  *sum->result = sum->x + sum->y;
  tfree(id, offset);
}

} // namespace cilk2gpu::test

#endif // CILK2GPU_TEST_UNIT_GRAPH_FIBKERNELS_H
