// Tests that kernels of thread blocks in C++ become code for whole blocks, with parameters of many kinds, on every level of
// optimisation, device and number of workers. The program gives the same result as with another compiler.
// RUN: g++ -std=c++17 -O1 -I %build_dir/include/cilk2gpu-rt %s %build_dir/lib/libcilk2gpu_rt.a -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: FileCheck %s < %t.expected
// CHECK: mixed 3454 3454
// CHECK: tables 927 1 0
// RUN: %cilk2gpuxx -std=c++17 -O0 -Wall -Wextra -Werror %s -o %t.0
// RUN: env CILK2GPU_WORKERS=1 %t.0 | diff - %t.expected
// RUN: env CILK2GPU_DEVICE=model %t.0 | diff - %t.expected
// RUN: %cilk2gpuxx -std=c++17 -O2 %s -o %t.2
// RUN: env CILK2GPU_WORKERS=1 %t.2 | diff - %t.expected
// RUN: env CILK2GPU_WORKERS=2 %t.2 | diff - %t.expected
// RUN: env CILK2GPU_DEVICE=serial %t.2 | diff - %t.expected
// RUN: %cilk2gpuxx -std=c++20 -O3 -g -fPIC -fno-exceptions %s -o %t.3
// RUN: %t.3 | diff - %t.expected
// RUN: %cilk2gpuxx -std=c++17 -O1 -fsanitize=address %s -o %t.asan
// RUN: env CILK2GPU_WORKERS=1 %t.asan | diff - %t.expected

// Each of the seven launches runs compiled code.
// RUN: env CILK2GPU_STATS=%t.json %t.2 > %t.out
// RUN: %python -c "import json; graphs = json.load(open(r'%t.json'))['block_graphs']; print(*(sum(g['counters'][c]['value'] for g in graphs) for c in ('launches', 'compiled_launches')))" | FileCheck %s --check-prefix=COUNT
// RUN: env CILK2GPU_STATS=%t.json %t.plain > %t.out
// RUN: %python -c "import json; graphs = json.load(open(r'%t.json'))['block_graphs']; print(*(sum(g['counters'][c]['value'] for g in graphs) for c in ('launches', 'compiled_launches')))" | FileCheck %s --check-prefix=PLAIN
// So does each launch of a program with code for GPUs, on the CPU.
// RUN: %cilk2gpuxx -std=c++17 -O2 --offload-arch=sm_90 %s -o %t.gpu
// RUN: env CILK2GPU_DEVICE=native CILK2GPU_STATS=%t.json %t.gpu | diff - %t.expected
// RUN: %python -c "import json; graphs = json.load(open(r'%t.json'))['block_graphs']; print(*(sum(g['counters'][c]['value'] for g in graphs) for c in ('launches', 'compiled_launches')))" | FileCheck %s --check-prefix=COUNT
// RUN: env CILK2GPU_DEVICE=gpu-host %t.gpu | diff - %t.expected
// COUNT: 7 7
// PLAIN: 7 0

// The serial elision of the language has ordinary kernels.
// RUN: %cilk2gpuxx -std=c++17 -O2 -fserial-elision %s -o %t.elision
// RUN: env CILK2GPU_STATS=%t.json %t.elision | diff - %t.expected
// RUN: %python -c "import json; graphs = json.load(open(r'%t.json'))['block_graphs']; print(*(sum(g['counters'][c]['value'] for g in graphs) for c in ('launches', 'compiled_launches')))" | FileCheck %s --check-prefix=PLAIN

// The stages show the nodes, and a stage can be compiled.
// RUN: %cilk2gpuxx -std=c++17 -O2 --emit=graph %s -o - | FileCheck %s --check-prefix=DOT
// RUN: %cilk2gpuxx -std=c++17 -O2 --emit=cilk %s -o %t.mlir
// RUN: FileCheck %s --check-prefix=STAGE < %t.mlir
// RUN: %cilk2gpuxx -O2 %t.mlir -o %t.cilk
// RUN: %t.cilk | diff - %t.expected
// RUN: %cilk2gpuxx -std=c++17 -O2 --emit=channel %s -o %t.mlir
// RUN: FileCheck %s --check-prefix=STAGE < %t.mlir
// RUN: %cilk2gpuxx -O2 %t.mlir -o %t.channel
// RUN: env CILK2GPU_STATS=%t.json %t.channel | diff - %t.expected
// RUN: %python -c "import json; graphs = json.load(open(r'%t.json'))['block_graphs']; print(*(sum(g['counters'][c]['value'] for g in graphs) for c in ('launches', 'compiled_launches')))" | FileCheck %s --check-prefix=COUNT
// DOT: "_Z5mixed{{.*}}" [shape=box3d, {{.*}}threads of the launch{{.*}}launches of _Z5mixed
// STAGE: channel.blocks @_Z5mixed{{.*}} fields({{.*}}) body @_Z5mixed{{.*}}.block kernel @_Z5mixed
// STAGE: channel.thread_id x : i32
#include <cilk2gpu/Wireframe.h>
#include <cstdio>
#include <numeric>

struct Pair {
  float x, y;
}; // in one register
struct Padded {
  char c;
  double d;
  short s;
}; // by value in memory, with gaps
struct Large {
  long values[9];
}; // by value in memory
struct alignas(64) Wide {
  unsigned values[16];
}; // as above, with an alignment of its own
struct Nested {
  Pair pair;
  bool isSet;
  struct {
    signed char low;
    unsigned high : 5;
  } bits;
};
enum class Kind : unsigned char { None, Some = 200 };

static unsigned global(dim3 const &block = blockIdx) { return block.x * blockDim.x + threadIdx.x; }

__WF__ void mixed(long *out, Pair pair, Padded padded, Large large, Wide wide, Nested nested, bool flag,
                  signed char low, unsigned short middle, float single, double twice, long double tall, Kind kind,
                  long a, long b, long c, long d, __int128 huge, double e, double f, double g, double h, double i) {
  large.values[2] += 1; // a copy of this thread
  wide.values[threadIdx.x] += flag ? 1 : 0;
  long sum = long(pair.x) + long(pair.y) + padded.c + long(padded.d) + padded.s;
  for (long value : large.values)
    sum += value;
  for (unsigned value : wide.values)
    sum += value;
  sum += long(nested.pair.y) + nested.isSet + nested.bits.low + nested.bits.high + low + middle;
  sum += long(single) + long(twice) + long(tall) + long(kind) + a + b + c + d + long(huge >> 64) + long(huge);
  out[global()] = sum + long(e + f + g + h + i);
}

template <class T> __WF__ void rotate(T *values) {
  WF_SHARED T shared[32];
  shared[threadIdx.x] = values[global()];
  wf::SyncThreads();
  values[global()] = shared[(threadIdx.x + 1) % blockDim.x];
}

static __WF__ void row(unsigned *table) {
  unsigned at = blockIdx.y * gridDim.x + blockIdx.x;
  table[at] = (blockIdx.x ? table[at - 1] : 0) + (blockIdx.y ? table[at - gridDim.x] : 0) + 1;
}

namespace {
__WF__ void hidden(int *p, int n) {
  if (n < 0)
    return;
  for (int round = 0; round < n; ++round) { // barriers in a loop that all threads run
    int value = p[(threadIdx.x + 1) % blockDim.x];
    wf::SyncThreads();
    p[threadIdx.x] = value;
    wf::SyncThreads();
  }
}
} // namespace

__WF__ void nothing() {}

static void up() {
  WF::AddDependency({blockIdx.x - 1, blockIdx.y});
  WF::AddDependency({blockIdx.x, blockIdx.y - 1});
}

int main() {
  long out[8];
  Large large = {{1, 2, 3, 4, 5, 6, 7, 8, 9}};
  Wide wide;
  std::iota(wide.values, wide.values + 16, 1u);
  Nested nested = {{1, 2}, true, {-3, 21}};
  wf::launch(
      dim3(2), dim3(4), [] {}, mixed, out, Pair{1, 2}, Padded{1, 2, 3}, large, wide, nested, true, -5, 60000 / 20, 1.5f,
      2.5, 3.5L, Kind::Some, 1, 2, 3, 4, __int128(7) << 64 | 8, 1, 2, 3, 4, 5.0);
  std::printf("mixed %ld %ld\n", out[0], out[7]);

  int words[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  double numbers[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  wf::launch(dim3(2), dim3(4), [] {}, rotate<int>, words);
  wf::launch(dim3(2), dim3(4), [] {}, rotate<double>, numbers);
  static unsigned table[12 * 12];
  wf::launch(dim3(12, 12), dim3(1), up, row, table);
  unsigned starts[] = {0, 1, 2, 3, 3}, children[] = {1, 2, 3};
  static unsigned line[4];
  wf::launch(wf::Graph(4, starts, children).policy(WF::LVL, 2), dim3(1), row, line);
  int turning[4] = {0, 1, 2, 3};
  wf::launch(dim3(1), dim3(4), [] {}, hidden, turning, 3);
  wf::launch(dim3(3, 2, 2), dim3(1, 2, 3), [] {}, nothing);
  std::printf("words %d %d, numbers %g %g\n", words[0], words[7], numbers[3], numbers[4]);
  std::printf("tables %u %d %d\n", table[5 * 12 + 5] + line[3], turning[2], turning[1]);
}
