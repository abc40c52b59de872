// Tests that the race detector knows spawned blocks, and locals that LLVM's assignment tracking describes.
// RUN: %cilk2gpu -O0 -g -fsanitize=cilk %s -o %t && not %t 2>&1 | FileCheck %s
// RUN: %cilk2gpu -O2 -g -fsanitize=cilk %s -o %t && not %t 2>&1 | FileCheck %s
#include <cilk/cilk.h>
#include <stdio.h>

int fib(int n) {
  if (n < 2)
    return n;
  int a, b;
  cilk_spawn { a = fib(n - 1); }
  b = fib(n - 2);
  cilk_sync;
  return a + b;
}

int main(void) {
  int shared = 0, own = fib(5);
  cilk_spawn {
    cilk_spawn { own += 1; }
    cilk_sync;
    own += 1; // after the block's own sync
    shared = own;
  }
  // CHECK:      data race
  // CHECK-NEXT: a write of shared in main at {{.*}}race-blocks.c:[[#@LINE+4]]:
  // CHECK-NEXT: may run in parallel with a write of shared in main at {{.*}}race-blocks.c:[[#@LINE-4]]:
  // CHECK-NEXT: in the child (block), spawned in main at {{.*}}race-blocks.c:[[#@LINE-9]]:
  // CHECK-NOT:  data race at
  shared++;
  cilk_sync;
  printf("%d %d\n", shared, own);
}
// CHECK: 1 data race{{$}}
