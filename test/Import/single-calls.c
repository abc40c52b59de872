// Tests that code of tasks inlines a function that has one call in the program, however many copies of the call there
// are. A function with two calls is as large, and stays a function.
// RUN: %cilk2gpu -O2 -S -emit-llvm %s -o - | FileCheck %s --implicit-check-not=@called_once
#include <cilk/cilk.h>
static unsigned called_once(unsigned h, unsigned n) {
  unsigned r = h;
#define STEP(k) r ^= r << (k % 13 + 1); r += n * k; r ^= r >> (k % 7 + 3); if (r % (k + 5) == n) r = r * k + h;
#define FOUR(k) STEP(k) STEP(k + 1) STEP(k + 2) STEP(k + 3)
  FOUR(1) FOUR(5) FOUR(9) FOUR(13) FOUR(17) FOUR(21)
  return r;
}
static unsigned called_twice(unsigned h, unsigned n) {
  unsigned r = h;
  FOUR(1) FOUR(5) FOUR(9) FOUR(13) FOUR(17) FOUR(21)
  return r;
}
void fill(unsigned *p, int n) {
  cilk_for (int i = 0; i < n; ++i)
    p[i] = called_once(i, n);
}
// CHECK-LABEL: define {{.*}} @fillTwice.serial(
// CHECK: call {{.*}} @called_twice(
void fillTwice(unsigned *p, int n) {
  cilk_for (int i = 0; i < n; ++i)
    p[i] = called_twice(i, n);
}
unsigned other(unsigned n) { return called_twice(n, n); }
