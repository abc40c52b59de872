// Tests that a kernel of thread blocks may not use a reducer, since blocks are not in serial order.
// RUN: not %cilk2gpu++ -std=c++17 -O2 %s -o %t 2>&1 | FileCheck %s
#include <cilk/opadd_reducer.h>
#include <cilk2gpu/Wireframe.h>

static cilk::opadd_reducer<long> sum = 0;

__WF__ void kernel(int) {
  // CHECK: :[[#@LINE+2]]:3: error: a kernel of thread blocks has no place in the serial order, so it cannot use a reducer; write its
  // CHECK-SAME: results to an array, and reduce them after the launch
  sum += blockIdx.x;
}

int main() { wf::launch(dim3(4), dim3(1), [] {}, kernel, 1); }
