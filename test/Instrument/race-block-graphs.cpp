// Tests that the race detector names graphs of thread blocks, which it does not check.
// RUN: %cilk2gpuxx -std=c++17 -fsanitize=cilk -O1 -g %s -o %t && %t 2>&1 | FileCheck %s
// CHECK: not checked for races: blocks of a dependency graph
#include <cilk2gpu/Wireframe.h>

__WF__ void fill(int *table, unsigned n) { table[blockIdx.y * n + blockIdx.x] = 1; }
void links() { WF::AddDependency({blockIdx.x - 1, blockIdx.y}); }

int main() {
  static int table[64];
  wf::launch(dim3(8, 8), dim3(1), links, fill, table, 8u);
  return table[9] != 1;
}
