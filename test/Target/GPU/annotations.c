// Tests that annotations, which leave nothing in the object file, do not prevent compiling a unit for a device.
// RUN: cilk2gpu -O2 --offload-arch=gpu-host %s -o %t && env CILK2GPU_DEVICE=gpu-host %t | FileCheck %s
// RUN: cilk2gpu -O2 --offload-arch=gfx90a -c %s -o %t.o
// CHECK: 55
#include <cilk/cilk.h>
#include <stdio.h>

__attribute__((cilk2gpu_lanes("simd"), annotate("task"))) static int fib(int n) {
  __attribute__((annotate("result"))) int x, y;
  if (n < 2)
    return n;
  x = cilk_spawn fib(n - 1);
  y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}

int main(void) {
  int result = cilk_spawn fib(10);
  cilk_sync;
  printf("%d\n", result);
}
