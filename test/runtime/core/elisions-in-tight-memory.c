// Tests that the measurements of a level's elisions take no memory that the graph needs.
// RUN: cilk2gpu -O2 %s -o %t
// RUN: env CILK2GPU_WORKERS=1 CILK2GPU_KERNELS=scalar CILK2GPU_MEM_CAP=30000 CILK2GPU_ELIDE=never %t
// RUN: env CILK2GPU_WORKERS=1 CILK2GPU_KERNELS=scalar CILK2GPU_MEM_CAP=30000 CILK2GPU_STATS=- %t 2>&1 | FileCheck %s
// CHECK: 832040
// CHECK: elided

#include <cilk/cilk.h>
#include <stdio.h>

static double fib(int n) {
  if (n < 2)
    return n;
  double a = cilk_spawn fib(n - 1), b = cilk_spawn fib(n - 2);
  cilk_sync;
  return a + b;
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  printf("%.0f\n", fib(30));
  return 0;
}
