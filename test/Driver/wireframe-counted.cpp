// Tests that the modelled machine gets the instructions of a block as its wavefronts of 32 threads issue them: as many
// for 32 threads as for 16, and more for 33.

// RUN: %cilk2gpuxx -std=c++17 -O1 -fcilk-count-instructions %s -o %t
// RUN: env CILK2GPU_DEVICE=model CILK2GPU_BLOCK_GRAPHS=- CILK2GPU_STATS=%t.stats %t 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=STATS < %t.stats
// RUN: env CILK2GPU_DEVICE=native %t
// RUN: %cilk2gpuxx -std=c++17 -O1 %s -o %t.plain
// RUN: env CILK2GPU_DEVICE=model CILK2GPU_BLOCK_GRAPHS=- %t.plain 2>&1 | FileCheck %s --check-prefix=PLAIN
// CHECK: launch 2 nodes 1 edges
// CHECK-NEXT: 0 [[#SMALL:]] 1
// CHECK-NEXT: 1 [[#SMALL]]
// CHECK-NEXT: launch 2 nodes 1 edges
// CHECK-NEXT: 0 [[#SMALL]] 1
// CHECK-NEXT: 1 [[#SMALL]]
// CHECK-NEXT: launch 2 nodes 1 edges
// CHECK-NOT: 0 [[#SMALL]] 1
// CHECK: 0 {{[0-9]+}} 1
// STATS: block_instructions {{ *}}{{[1-9][0-9]*}} instructions
// PLAIN: launch 2 nodes 1 edges
// PLAIN-NEXT: 0 0 1
#include <cilk2gpu/Wireframe.h>

__WF__ void work(volatile unsigned *sums) {
  for (unsigned i = 0; i < 50; ++i)
    sums[threadIdx.x] = sums[threadIdx.x] + i;
  wf::SyncThreads();
  sums[threadIdx.x] = sums[threadIdx.x] + 1;
}

int main() {
  static unsigned sums[33];
  for (unsigned threads : {16, 32, 33})
    wf::launch(dim3(2), dim3(threads), [] { WF::AddDependency({blockIdx.x - 1}); }, work, sums);
  return sums[0] == 6 * (49 * 50 / 2 + 1) && sums[32] == 2 * (49 * 50 / 2 + 1) ? 0 : 1;
}
