// Tests exceptions that leave mapping functions and kernels of thread blocks: wf::launch throws the exception of the first
// block. Blocks before it have run, and blocks that wait for it have not. Later launches work.
// RUN: %cilk2gpuxx -std=c++17 -O2 %s -o %t
// RUN: g++ -std=c++17 -O2 -I %build_dir/include/cilk2gpu-rt %s %build_dir/lib/libcilk2gpu_rt.a -o %t.plain
// RUN: %cilk2gpuxx -std=c++17 -O2 -fserial-elision %s -o %t.elision
// RUN: %t.elision > %t.expected
// RUN: FileCheck %s < %t.expected
// RUN: %t | diff %t.expected -
// RUN: env CILK2GPU_WORKERS=1 %t | diff %t.expected -
// RUN: env CILK2GPU_WORKERS=2 CILK2GPU_SCHEDULE=random CILK2GPU_SEED=3 %t | diff %t.expected -
// RUN: env CILK2GPU_DEVICE=serial %t | diff %t.expected -
// RUN: env CILK2GPU_DEVICE=model %t | diff %t.expected -
// RUN: env CILK2GPU_WORKERS=2 CILK2GPU_STATS=%t.stats CILK2GPU_TRACE=%t.trace %t | diff %t.expected -
// RUN: env CILK2GPU_WORKERS=2 %t.plain | diff %t.expected -
// RUN: %cilk2gpuxx -std=c++17 -O2 -Rpass-missed=cilk %s -c -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: kernel {{.*}}step{{.*}} runs thread by thread as an ordinary function: it throws an exception
// CHECK: mapping: 4950 before 0 behind 0
// CHECK-NEXT: rows: none
// CHECK-NEXT: rows: 77 before 77 behind 0
// CHECK-NEXT: backwards: 12 before 3 behind 0
// CHECK-NEXT: graph: 30 before 30 behind 0
// CHECK-NEXT: threads: 5003 before 503 behind 0
#include <cilk2gpu/Wireframe.h>
#include <cstdio>
#include <vector>

static unsigned first, second; // blocks that throw
static unsigned thrownThread;

static void check(unsigned block, unsigned thread) {
  if ((block == first || block == second) && thread == thrownThread)
    throw static_cast<int>(block * (blockDim.x == 1 ? 1 : 1000) + thread);
}

__WF__ static void step(unsigned char *done) {
  const unsigned block = blockIdx.x + gridDim.x * blockIdx.y;
  check(block, threadIdx.x);
  done[block * blockDim.x + threadIdx.x] = 1;
}

static void rows() { // each block waits for those on its left and above it
  WF::AddDependency({blockIdx.x - 1, blockIdx.y});
  WF::AddDependency({blockIdx.x, blockIdx.y - 1});
}
static void backwards() { // block 15 comes first
  WF::AddDependency({blockIdx.x + 1, blockIdx.y});
}
static void broken() {
  const unsigned block = blockIdx.x + gridDim.x * blockIdx.y;
  if (block >= 4950)
    throw static_cast<int>(block);
}

/// Calls launch(), and prints its exception, how many blocks have run before it, and how many that must not have run.
template <class L> static void report(const char *name, const std::vector<unsigned char> &done, unsigned from, unsigned to, L launch) {
  std::vector<unsigned char>::difference_type before = 0;
  try {
    launch();
    std::printf("%s: none\n", name);
  } catch (int number) {
    for (unsigned i = 0; i < from; ++i)
      before += done[i];
    int behind = 0;
    for (unsigned i = from; i < to; ++i)
      behind += done[i];
    std::printf("%s: %d before %d behind %d\n", name, number, int(before), behind);
  }
}

int main() {
  std::vector<unsigned char> done(10000);
  report("mapping", done, 10000, 10000, [&] { wf::launch(dim3(100, 100), dim3(1), broken, step, done.data()); });
  first = second = 10000;
  report("rows", done, 0, 0, [&] { wf::launch(dim3(100, 100), dim3(1), rows, step, done.data()); });
  done.assign(10000, 0);
  first = 77, second = 4000;
  report("rows", done, 77, 100, [&] { wf::launch(dim3(100, 100), dim3(1), rows, step, done.data()); });
  // Blocks 15 to 13 have run: the chain ends with block 0.
  done.assign(10000, 0);
  first = 12, second = 3;
  std::vector<unsigned char> turned(16);
  struct Turned {
    static void run(unsigned char *done) {
      check(blockIdx.x, 0);
      done[15 - blockIdx.x] = 1;
    }
  };
  report("backwards", turned, 4, 16, [&] { wf::launch(dim3(16), dim3(1), backwards, Turned::run, turned.data()); });
  // A graph that is known at run time: a chain.
  done.assign(10000, 0);
  first = 30, second = 31;
  std::vector<unsigned> starts(51), children(49);
  for (unsigned i = 0; i < 49; ++i)
    children[i] = i + 1, starts[i + 1] = i + 1;
  starts[50] = 49;
  report("graph", done, 30, 50, [&] { wf::launch(wf::Graph(50, starts, children), dim3(1), step, done.data()); });
  // The threads of a block run one after another. Those behind the one that has thrown do not run.
  done.assign(10000, 0);
  first = 5, second = 7, thrownThread = 3;
  report("threads", done, 503, 600, [&] { wf::launch(dim3(10), dim3(100), [] { WF::AddDependency({blockIdx.x - 1}); }, step, done.data()); });
}
