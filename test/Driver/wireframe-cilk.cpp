// Tests programs with both Cilk functions and thread blocks: a launch inside a task runs as its elision, and a kernel may
// call Cilk functions.
// RUN: %cilk2gpuxx -std=c++17 -O2 -Wall -Wextra -Werror %s -o %t
// RUN: env CILK2GPU_WORKERS=1 %t | FileCheck %s
// RUN: env CILK2GPU_WORKERS=3 %t | FileCheck %s
// RUN: env CILK2GPU_DEVICE=serial %t | FileCheck %s
// CHECK: 4092 261952 6765
#include <cilk/cilk.h>
#include <cilk2gpu/Wireframe.h>
#include <cstdio>

static long fib(int n) {
  if (n < 2)
    return n;
  long a = cilk_spawn fib(n - 1);
  long b = fib(n - 2);
  cilk_sync;
  return a + b;
}

static void kernel(long *sums) {
  sums[blockIdx.x] = fib(int(10 + blockIdx.x)) + (blockIdx.x ? sums[blockIdx.x - 1] : 0);
}

static long launchRow(int n) {
  long sums[8];
  wf::launch(dim3(8), dim3(1), [] { WF::AddDependency({blockIdx.x - 1}); }, kernel, sums);
  return sums[7] + n;
}

static long launchInTasks(int n) {
  if (n < 2)
    return launchRow(n);
  long a = cilk_spawn launchInTasks(n / 2);
  long b = launchInTasks(n - n / 2);
  cilk_sync;
  return a + b;
}

int main() { std::printf("%ld %ld %ld\n", launchRow(0), launchInTasks(64), fib(20)); }
