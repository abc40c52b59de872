// Tests that a kernel with an endless loop is compiled lane by lane, wherever the loop stands. Code that runs never ends. Code
// that never runs may be the rest of code that LLVM knows not to run.
// RUN: %cilk2gpu -O2 -fcilk-lanes=simd -Rpass-missed=cilk %s -o %t 2>&1 | FileCheck %s
// RUN: %t | FileCheck %s --check-prefix=OUT
#include <cilk/cilk.h>
#include <stdio.h>

// CHECK: kernel 'halves.k0' runs lane by lane: a loop in it has no end
__attribute__((noinline)) static long halves(long n) {
  if (n < 0)
    for (;;)
      ;
  if (n < 2)
    return n;
  long a = cilk_spawn halves(n / 2);
  long b = cilk_spawn halves(n - n / 2);
  cilk_sync;
  return a * 2 + b - a;
}

// OUT: 1000
int main(void) {
  printf("%ld\n", halves(1000));
  return 0;
}
