// Tests that blocks of one thread run in vectors of blocks, with the same results, and that blocks do not share variables
// of a block in a vector.
// RUN: %cilk2gpuxx -std=c++17 -O2 -fcilk-vector-isa=avx512,sse -Rpass=cilk -Rpass-missed=cilk %s -o %t 2>&1 | FileCheck %s
// RUN: env CILK2GPU_DEVICE=serial %t > %t.expected
// RUN: %t | diff %t.expected -
// RUN: env CILK2GPU_WORKERS=1 CILK2GPU_SCHEDULE=random CILK2GPU_SEED=8 %t | diff %t.expected -
// RUN: env CILK2GPU_WORKERS=3 CILK2GPU_SCHEDULE=random CILK2GPU_SEED=9 %t | diff %t.expected -
// RUN: env CILK2GPU_KERNELS=sse CILK2GPU_SCHEDULE=random CILK2GPU_SEED=8 %t | diff %t.expected -
#include <cilk2gpu/Wireframe.h>
#include <stdio.h>

static unsigned mixed(unsigned value) {
  for (unsigned i = 0, steps = 30 + value % 8; i < steps; ++i)
    value = (value ^ value >> 15) * 0x2c1b3c6d;
  return value;
}

// CHECK-DAG: [[#@LINE+1]]:1: remark: group of thread blocks 'lattice(unsigned int*, unsigned int)' runs 32 lanes at once with AVX-512, {{[0-9]+}} with SSE
__WF__ static void lattice(unsigned *table, unsigned n) {
  unsigned x = blockIdx.x, y = blockIdx.y;
  table[y * n + x] = mixed((x ? table[y * n + x - 1] : x) + 3 * (y ? table[(y - 1) * n + x] : y));
}

// Blocks of a row do not wait for one another.
__WF__ static void rows(unsigned *table, unsigned n) {
  unsigned x = blockIdx.x, y = blockIdx.y;
  const unsigned *above = table + (y - 1) * n;
  table[y * n + x] = mixed(y ? (x ? above[x - 1] : 1) + (x + 1 < n ? above[x + 1] : 2) : x);
}

// CHECK-DAG: [[#@LINE+1]]:1: remark: group of thread blocks 'shares(unsigned int*, unsigned int)' runs lane by lane: it uses WF_SHARED or thread-local variables, which blocks do not share
__WF__ static void shares(unsigned *table, unsigned n) {
  WF_SHARED unsigned sum;
  sum = threadIdx.x ? sum : 0;
  sum += mixed(blockIdx.x + blockIdx.y * n + threadIdx.x);
  table[blockIdx.y * n + blockIdx.x] = sum;
}

static unsigned table[90 * 90];

static void print() {
  unsigned sum = 0;
  for (unsigned cell : table)
    sum = sum * 31 + cell;
  printf("%08x\n", sum);
}

int main() {
  auto links = [] {
    WF::AddDependency({blockIdx.x - 1, blockIdx.y});
    WF::AddDependency({blockIdx.x, blockIdx.y - 1});
  };
  wf::launch(dim3(90, 90), dim3(1), links, lattice, table, 90u);
  print();
  auto above = [] {
    for (unsigned x : {blockIdx.x - 1, blockIdx.x + 1})
      WF::AddDependency({x, blockIdx.y - 1});
  };
  wf::launch(dim3(90, 90), dim3(1), above, rows, table, 90u);
  print();
  wf::launch(dim3(90, 90), dim3(3), links, shares, table, 90u);
  print();
}
