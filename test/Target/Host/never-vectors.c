// Tests that kernels which can never run in vectors are refused before all others are simplified: a kernel that starts a
// cilk_for, behind a kernel that must be examined.
// RUN: %cilk2gpu -O2 -fcilk-vector-isa=avx2 -c %s -o %t.o -Rpass-missed=cilk 2>&1 | FileCheck %s
// CHECK: kernel 'start.k0' runs lane by lane: it starts a cilk_for
// CHECK: kernel 'walk.k0' runs lane by lane: most of its work has no vector form
#include <cilk/cilk.h>
int walk(int n, int *sums) {
  if (n < 2)
    return n * sums[0];
  int x = cilk_spawn walk(n - 1, sums), y = cilk_spawn walk(n - 2, sums);
  cilk_sync;
  return x * y;
}
void start(int *sums, int n) {
  cilk_for (int i = 0; i < n; ++i)
    sums[i] = i;
}
