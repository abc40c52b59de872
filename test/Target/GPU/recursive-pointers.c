// Tests functions that are called through pointers and that call one another. If one of them calls a function that no
// GPU can run, all of them are left out of GPU code. The order of the checks does not matter.
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 --emit=llvm %s | FileCheck %s
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a --emit=hsaco %s -o %t.co
#include <cilk/cilk.h>

__attribute__((noinline)) static int onHost(int n) {
  __asm__ volatile("" : "+r"(n));
  return n;
}

__attribute__((noinline)) int second(int n);
// The order of calls matters: first the function that calls back.
__attribute__((noinline)) int first(int n) { return n < 1 ? 1 : second(n - 1) * onHost(n); }
__attribute__((noinline)) int second(int n) { return n < 2 ? 2 : first(n - 2) + n; }
__attribute__((noinline)) int third(int n) { return n * 7; }

int (*chosen[])(int) = {first, second, third};

// CHECK-NOT: define {{.*}}@first(
// CHECK-NOT: define {{.*}}@second(
// CHECK: define {{.*}}@third(
// CHECK-NOT: define {{.*}}@first(
// CHECK-NOT: define {{.*}}@second(
int tree(int n) {
  if (n < 2)
    return chosen[n](n);
  int a = cilk_spawn tree(n - 1);
  int b = tree(n - 2);
  cilk_sync;
  return a + b;
}
