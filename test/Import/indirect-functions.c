// Tests functions that are chosen when the program starts (ifunc), together with functions that spawn. The chosen
// functions are spawned, called in tasks, and static.
// RUN: %cilk2gpu -O2 %s -o %t && %t | FileCheck %s
// RUN: %cilk2gpu -O0 -g %s -o %t && %t | FileCheck %s
// RUN: %cilk2gpu -O2 -fcilk-lanes=simd -fPIC -pie %s -o %t && env CILK2GPU_WAVE=4 CILK2GPU_WIDTH=2 %t | FileCheck %s
// CHECK: 324 21 11
#include <cilk/cilk.h>
#include <stdio.h>

static int ten(int n) { return n + 10; }
static int (*choose(void))(int) { return ten; }
int chosen(int n) __attribute__((ifunc("choose")));
static int own(int n) __attribute__((ifunc("choose")));

static int tree(int n) {
  if (n < 2)
    return chosen(n) - own(0);
  int x = cilk_spawn tree(n - 1);
  int y = cilk_spawn chosen(n);
  int z = own(n) + tree(n - 2);
  cilk_sync;
  return x + y + z;
}
int main(void) {
  int x = cilk_spawn chosen(1), y = 0;
  int (*pointer)(int) = own;
  y = cilk_spawn pointer(11);
  int z = tree(6);
  cilk_sync;
  printf("%d %d %d\n", z, y, x);
}
