// Tests that a program with the header of thread blocks needs nothing but the driver, or any compiler and the library. Its
// blocks run natively, as their serial elision, and as workgroups of a GPU on the host.
// RUN: %cilk2gpuxx -std=c++17 -Wall -Wextra -Werror %s -o %t
// RUN: %t | FileCheck %s
// RUN: env CILK2GPU_WORKERS=2 %t | FileCheck %s
// RUN: env CILK2GPU_DEVICE=serial %t | FileCheck %s
// RUN: g++ -std=c++17 -O2 -Wall -Wextra -Werror -I %build_dir/include/cilk2gpu-rt %s %build_dir/lib/libcilk2gpu_rt.a -o %t.plain
// RUN: env CILK2GPU_WORKERS=2 %t.plain | FileCheck %s
// CHECK: table[63][63] = 11428574671220725568
// CHECK: sum 2016
// RUN: not env CILK2GPU_DEVICE=hip %t 2>&1 | FileCheck %s --check-prefix=GPU -DDEVICE=hip
// RUN: not env CILK2GPU_DEVICE=cuda %t 2>&1 | FileCheck %s --check-prefix=GPU -DDEVICE=cuda
// GPU: CILK2GPU_DEVICE=[[DEVICE]]: the program contains no code for it; compile it with --offload-arch={{.*}}use CILK2GPU_DEVICE=native
// RUN: env CILK2GPU_DEVICE=gpu-host CILK2GPU_WORKERS=2 %t | FileCheck %s
// RUN: env CILK2GPU_DEVICE=gpu-host CILK2GPU_WORKERS=2 %t.plain | FileCheck %s

// The statistics list the graphs.
// RUN: env CILK2GPU_STATS=%t.json CILK2GPU_WORKERS=2 %t
// RUN: %python -c "import json; graphs = json.load(open(r'%t.json'))['block_graphs']; print(len(graphs)); [print(g['device'], g['policy'], g['bound'], g['threads'], g['nodes'], g['edges'], *(g['counters'][c]['value'] for c in ('launches', 'blocks_run', 'levels')), 0 < g['counters']['memory_high_water']['value'] <= g['counters']['memory_bound']['value']) for g in graphs]" | FileCheck %s --check-prefix=JSON
// JSON: 2
// JSON-NEXT: native LVL 3 1 4096 8064 2 8192 127 True
// JSON-NEXT: native LRR 0 64 1 0 1 1 1 True
// RUN: env CILK2GPU_STATS=- CILK2GPU_WORKERS=1 %t 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: block_graph 0
// TEXT: block_policy LVL
// TEXT: level_bound 3 levels
// TEXT: edges 8064 dependencies
// TEXT: blocks_run 8192 blocks
// TEXT: level_range 0 levels
#include <cilk2gpu/Wireframe.h>

#include <cstdio>
#include <vector>

#ifndef CILK2GPU_WIREFRAME
#error the header has a feature macro
#endif

static void links() {
  WF::AddDependency({blockIdx.x - 1, blockIdx.y});
  WF::AddDependency({blockIdx.x, blockIdx.y - 1});
  WF::SetPolicy(WF::LVL, 3);
}

__WF__ static void pascal(unsigned long *table, unsigned n) {
  unsigned x = blockIdx.x, y = blockIdx.y;
  table[y * n + x] = x && y ? table[y * n + x - 1] + table[(y - 1) * n + x] : 1;
}

/// Sums the thread's numbers in shared memory.
template <class T> __WF__ void sum(T *result) {
  WF_SHARED T parts[64];
  parts[threadIdx.x] = T(threadIdx.x);
  wf::SyncThreads();
  for (unsigned i = 0; threadIdx.x == 0 && i < blockDim.x; ++i)
    *result += parts[i];
}

int main() {
  const unsigned n = 64;
  std::vector<unsigned long> table(n * n);
  for (int i = 0; i < 2; ++i)
    wf::launch(dim3(n, n), dim3(1), links, pascal, table.data(), n);
  std::printf("table[63][63] = %lu\n", table[n * n - 1]);
  int result = 0;
  wf::launch(dim3(1), dim3(64), [] {}, sum<int>, &result);
  std::printf("sum %d\n", result);
}
