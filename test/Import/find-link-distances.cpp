// Tests that mapping functions of thread blocks whose parents have constant distances get a record, and are not called.
// Remarks give the reason for the others.
// RUN: %cilk2gpuxx -O2 -std=c++17 -Rpass=cilk -Rpass-missed=cilk %s -o %t 2>&1 | FileCheck %s
// RUN: env CILK2GPU_STATS=%t.json %t | FileCheck %s --check-prefix=OUT
// RUN: %python -c "import json; print(sum(g['counters']['mapped_launches']['value'] for g in json.load(open(r'%t.json'))['block_graphs']), 'mapped')" | FileCheck %s --check-prefix=STATS
// RUN: %cilk2gpuxx -O0 -g -std=c++17 %s -o %t && env CILK2GPU_STATS=%t.json %t | FileCheck %s --check-prefix=OUT
// RUN: %python -c "import json; print(sum(g['counters']['mapped_launches']['value'] for g in json.load(open(r'%t.json'))['block_graphs']), 'mapped')" | FileCheck %s --check-prefix=STATS
// A grid that the distances do not hold for: the functions are called.
// RUN: env CILK2GPU_STATS=%t.json %t 2 | FileCheck %s --check-prefix=DEEP
// RUN: %python -c "import json; print(sum(g['counters']['mapped_launches']['value'] for g in json.load(open(r'%t.json'))['block_graphs']), 'mapped')" | FileCheck %s --check-prefix=CALLED
// RUN: %cilk2gpuxx -O2 -std=c++17 -emit-llvm -S %s -o - | FileCheck %s --check-prefix=LLVM

// OUT: {{^}}16
// DEEP: {{^}}32
// STATS: {{^}}6 mapped
// CALLED: {{^}}2 mapped
// LLVM-DAG: @__cilk2gpu_block_links.offsets{{.*}} = internal constant [6 x i32] [i32 -1, i32 0, i32 0, i32 0, i32 -1, i32 0]
// LLVM-DAG: @llvm.global_ctors = {{.*}}i32 101, ptr @__cilk2gpu_register_links_of_unit
#include <cilk2gpu/Wireframe.h>
#include <cstdio>
#include <cstdlib>

static unsigned bound;

// CHECK-DAG: :[[#@LINE+1]]:1: remark: mapping function 'guarded()' gives parents at (-1, 0, 0), (0, -1, 0): launches do not call it, and store no edges
static void guarded() {
  if (blockIdx.x > 0)
    WF::AddDependency({blockIdx.x - 1, blockIdx.y});
  if (int(blockIdx.y) - 1 >= 0)
    WF::AddDependency(dim3(blockIdx.x, blockIdx.y - 1));
}

// Conditions that hold only for some blocks with a parent.
// CHECK-DAG: :[[#@LINE+1]]:1: remark: mapping function 'partial()' is called for each block: a condition may keep out a parent that is inside of the grid
static void partial() {
  if (blockIdx.x == 0)
    return;
  WF::AddDependency({blockIdx.x, blockIdx.y - 1});
}

// A loop of constant length, and a helper.
static void addAt(int dx, int dy) { WF::AddDependency({int(blockIdx.x) + dx, int(blockIdx.y) + dy}); }
// CHECK-DAG: :[[#@LINE+1]]:1: remark: mapping function 'neighbours()' gives parents at (-1, -1, 0), (0, -1, 0), (1, -1, 0), (-1, 0, 0):
static void neighbours() {
  for (int dy = -1; dy <= 0; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dy < 0 || dx < 0)
        addAt(dx, dy);
}

// CHECK-DAG: :[[#@LINE+1]]:1: remark: mapping function 'many()' is called for each block: it has a loop whose number of iterations is not constant, or is large
static void many() {
  for (unsigned i = 1; i < bound; ++i)
    WF::AddDependency({blockIdx.x - i, blockIdx.y});
}

// CHECK-DAG: :[[#@LINE+1]]:1: remark: mapping function 'later()' is called for each block: a parent's block ID is not smaller than the block's
static void later() { WF::AddDependency({blockIdx.x + 1, blockIdx.y}); }

// CHECK-DAG: :[[#@LINE+1]]:1: remark: mapping function 'levels()' gives parents at (-2, 0, 0):
static void levels() {
  WF::SetPolicy(WF::LVL, 2);
  WF::AddDependency({blockIdx.x - 2, blockIdx.y, blockIdx.z});
}

// CHECK-DAG: :[[#@LINE+1]]:1: remark: mapping function 'twice()' is called for each block: it sets two policies
static void twice() {
  WF::SetPolicy(WF::LVL, 2);
  WF::SetPolicy(WF::LVL, 3);
  WF::AddDependency({blockIdx.x - 1});
}

// CHECK-DAG: :[[#@LINE+1]]:1: remark: mapping function 'again()' gives parents at (-1, 0, 0):
static void again() {
  WF::SetPolicy(WF::LVL, 2);
  WF::SetPolicy(WF::LVL, 2);
  WF::AddDependency({blockIdx.x - 1, blockIdx.y, blockIdx.z});
}

// CHECK-DAG: :[[#@LINE+1]]:1: remark: mapping function 'sometimes()' is called for each block: it sets the policy under a condition
static void sometimes() {
  if (blockIdx.x > 1)
    WF::SetPolicy(WF::LRR);
}

// CHECK-DAG: :[[#@LINE+1]]:1: remark: mapping function 'moves()' is called for each block: it may change gridDim
static void moves() {
  gridDim.x = 4;
  WF::AddDependency({blockIdx.x - 1, blockIdx.y});
}

// The unit has other effects to keep.
// CHECK-DAG: :[[#@LINE+1]]:1: remark: mapping function 'prints()' is called for each block: it calls a function that the compiler does not see, or that has an effect of its own
static void prints() { puts(""); WF::AddDependency({blockIdx.x - 1, blockIdx.y}); }

// CHECK-DAG: :[[#@LINE+1]]:1: remark: mapping function 'far()' is called for each block: a coordinate of a parent is not the block's own coordinate plus a constant
static void far() { WF::AddDependency({blockIdx.x / 2 - 1, blockIdx.y}); }

__WF__ void body(unsigned *count) { __atomic_fetch_add(count, 1, __ATOMIC_RELAXED); }

int main(int argc, char **argv) {
  unsigned count = 0;
  dim3 grid(4, 4, argc > 1 ? atoi(argv[1]) : 1);
  auto run = [&](const auto &links) {
    count = 0;
    wf::launch(grid, dim3(1), links, body, &count);
  };
  run(guarded);
  run(partial);
  run(neighbours);
  run(many);
  run(later);
  run(levels);
  run(sometimes);
  run(moves);
  run(far);
  run(&guarded);
  // CHECK-DAG: :[[#@LINE+1]]:1: remark: mapping function {{.*}}operator(){{.*}} gives parents at (0, -1, 0):
  run([] { WF::AddDependency({blockIdx.x, blockIdx.y - 1}); });
  // CHECK-DAG: :[[#@LINE+1]]:1: remark: mapping function {{.*}}operator(){{.*}} gives no parents:
  run([] {});
  // CHECK-DAG: :[[#@LINE+1]]:1: remark: mapping function {{.*}}operator(){{.*}} is called for each block: it reads memory
  run([&] { if (bound == 0) WF::AddDependency({blockIdx.x - 1, blockIdx.y}); });
  if (argc > 5) {
    run(prints);
    run(twice);
    run(again);
  }
  printf("%u\n", count);
}
