// Tests kernels of thread blocks in programs of several files and compilers: a file launches a kernel of another file, and
// both have a kernel from one template, of which the linker keeps one.
// RUN: %cilk2gpuxx -std=c++17 -O2 -c -DKERNELS %s -o %t.kernels.o
// RUN: %cilk2gpuxx -std=c++17 -O0 -g -c %s -o %t.main.o
// RUN: g++ -std=c++17 -O2 -c -DKERNELS -I %build_dir/include/cilk2gpu-rt %s -o %t.kernels.plain.o
// RUN: g++ -std=c++17 -O2 -c -I %build_dir/include/cilk2gpu-rt %s -o %t.main.plain.o
// RUN: %cilk2gpuxx %t.main.o %t.kernels.o -o %t.both
// RUN: %cilk2gpuxx %t.main.o %t.kernels.plain.o -o %t.main
// RUN: %cilk2gpuxx %t.kernels.plain.o %t.main.o -o %t.main2
// RUN: g++ %t.main.plain.o %t.kernels.o %build_dir/lib/libcilk2gpu_rt.a -o %t.kernels
// RUN: %cilk2gpuxx %t.main.plain.o %t.kernels.plain.o -o %t.none
// RUN: %t.both | FileCheck %s
// RUN: %t.main | FileCheck %s
// RUN: %t.main2 | FileCheck %s
// RUN: %t.kernels | FileCheck %s
// RUN: %t.none | FileCheck %s
// CHECK: 7 107 1007 | 2 3 4 5

// Three launches; the number of those that run compiled code depends on who compiled the kernels.
// RUN: env CILK2GPU_STATS=%t.both.json %t.both > %t.out
// RUN: env CILK2GPU_STATS=%t.main.json %t.main > %t.out
// RUN: env CILK2GPU_STATS=%t.kernels.json %t.kernels > %t.out
// RUN: env CILK2GPU_STATS=%t.none.json %t.none > %t.out
// RUN: %python -c "import json; print(*(sum(g['counters']['compiled_launches']['value'] for g in json.load(open(r'%t.' + name + '.json'))['block_graphs']) for name in ('both', 'main', 'kernels', 'none')))" | FileCheck %s --check-prefix=COUNT
// COUNT: 3 2 3 0

// With link-time optimisation, and from a shared library.
// RUN: %cilk2gpuxx -std=c++17 -O2 -flto -DALL %s -o %t.lto
// RUN: env CILK2GPU_STATS=%t.lto.json %t.lto | FileCheck %s
// RUN: %cilk2gpuxx -std=c++17 -O2 -fPIC -shared -DKERNELS %s -o %t.so
// RUN: %cilk2gpuxx -std=c++17 -O2 %s %t.so -o %t.with
// RUN: env CILK2GPU_STATS=%t.with.json %t.with | FileCheck %s
// RUN: %python -c "import json; print(*(sum(g['counters']['compiled_launches']['value'] for g in json.load(open(r'%t.' + name + '.json'))['block_graphs']) for name in ('lto', 'with')))" | FileCheck %s --check-prefix=WHOLE
// WHOLE: 3 3

// An exception of a function of another file ends the program if code for whole blocks calls the function. Otherwise
// wf::launch throws it. One worker runs the blocks, since two that throw at once write their messages into each other.
// RUN: env CILK2GPU_WORKERS=1 not --crash %t.both throw 2>&1 | FileCheck %s --check-prefix=ENDED
// RUN: %t.none throw 2>&1 | FileCheck %s --check-prefix=THROWN
// ENDED: terminate called after throwing an instance of 'int'
// THROWN: an exception has left a kernel: 5 1 0
#include <cilk2gpu/Wireframe.h>
#include <cstdio>

template <class T> __WF__ void add(T *values, T more) { values[blockIdx.x] += more; }

struct Table {
  int *values;
  int at(unsigned i) const { return values[i]; }
  int limit[12];
};

__WF__ void apart(Table table);
__WF__ void failing(int *values);
void fail(int number);
void launchAdd(int *values);

#if defined(KERNELS) || defined(ALL)
struct Guard { // its destructor runs while an exception leaves the kernel
  int *value;
  ~Guard() { ++*value; }
};
__WF__ void failing(int *values) {
  Guard guard{&values[blockIdx.x]};
  fail(5);
}
__WF__ void apart(Table table) {
  Guard guard{&table.values[blockIdx.x]};
  table.values[blockIdx.x] += table.at(blockIdx.x) + table.limit[blockIdx.x];
}
void launchAdd(int *values) {
  wf::launch(dim3(1), dim3(1), [] {}, add<int>, values, 7);
}
#endif

#if !defined(KERNELS) || defined(ALL)
void fail(int number) { throw number; }
int main(int argc, char **) {
  int values[3] = {0, 100, 1000};
  launchAdd(values);
  wf::launch(dim3(3), dim3(1), [] {}, add<int>, values, 7);
  values[0] -= 7;
  int more[4] = {0, 0, 0, 0};
  try {
    if (argc > 1)
      wf::launch(dim3(4), dim3(1), [] { WF::AddDependency({blockIdx.x - 1}); }, failing, more);
  } catch (int number) {
    std::printf("an exception has left a kernel: %d %d %d\n", number, more[0], more[1]);
  }
  wf::launch(dim3(4), dim3(1), [] {}, apart, Table{more, {1, 2, 3, 4}});
  std::printf("%d %d %d | %d %d %d %d\n", values[0], values[1], values[2], more[0], more[1], more[2], more[3]);
}
#endif
