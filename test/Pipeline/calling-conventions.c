// Tests functions of another calling convention, spawned by main and by tasks, and also called by main or by an elision
// itself.
// RUN: %cilk2gpu -O0 %s -o %t && %t | FileCheck %s
// RUN: env CILK2GPU_DEVICE=serial %t | FileCheck %s
// RUN: %cilk2gpu -O2 %s -o %t && %t | FileCheck %s
// RUN: env CILK2GPU_DEVICE=serial %t | FileCheck %s
// CHECK: 54321 184499337 8 4 9
#include <cilk/cilk.h>
#include <stdio.h>

struct Pair {
  long a, b, c;
};

__attribute__((noinline, ms_abi)) long leaf(long a, long b, long c, long d, long e) {
  return a + b * 10 + c * 100 + d * 1000 + e * 10000;
}
__attribute__((noinline, ms_abi)) struct Pair pair(long a, struct Pair p) {
  return (struct Pair){a + p.a, p.b * 2, p.c * 3};
}
__attribute__((ms_abi)) long tree(long n, long step) {
  if (n < 2)
    return leaf(n, step, 0, 1, 0);
  long x = cilk_spawn tree(n - 1, step);
  long y = cilk_spawn leaf(n, n - 2, step, 4, 5);
  cilk_sync;
  return x * 3 + y;
}

int main(void) {
  struct Pair p = {1, 2, 3};
  long x = cilk_spawn leaf(1, 2, 3, 4, 5);
  long y = cilk_spawn tree(9, 2);
  struct Pair q = cilk_spawn pair(7, p);
  cilk_sync;
  printf("%ld %ld %ld %ld %ld\n", x, y, q.a, q.b, q.c);
}
