// Tests that remarks name the results that are combined, and give the reason why a similar result is not.
// RUN: cilk2gpu -O2 -Rpass=cilk -Rpass-missed=cilk -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: cilk2gpu -O2 -ffast-math -Rpass=cilk -Rpass-missed=cilk -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=FAST
// RUN: cilk2gpu -O2 -c %s -o /dev/null 2>&1 | count 0
#include <cilk/cilk.h>

// CHECK-DAG: remarks.c:[[@LINE+1]]:1: remark: results of 'sum' are combined as they come, by sum [-Rpass=cilk]
int sum(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn sum(n - 1);
  int y = cilk_spawn sum(n - 2);
  cilk_sync;
  return x + y;
}

// CHECK-DAG: remarks.c:[[@LINE+1]]:1: remark: results of 'largest' are combined as they come, by maximum [-Rpass=cilk]
int largest(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn largest(n - 1);
  int y = cilk_spawn largest(n / 2);
  cilk_sync;
  if (x > y)
    return x;
  else
    return y;
}

// CHECK-DAG: remark: results of 'twice' are not combined: not every child's result is folded exactly once, with one operation, on every path [-Rpass-missed=cilk]
int twice(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn twice(n - 1);
  int y = cilk_spawn twice(n - 2);
  cilk_sync;
  return (x + y) ^ (x & y);
}

// CHECK-DAG: remark: results of 'real' are not combined: floating-point arithmetic is not reassociated (-ffast-math allows it) [-Rpass-missed=cilk]
// FAST-DAG: remarks.c:[[@LINE+1]]:1: remark: results of 'real' are combined as they come, by sum [-Rpass=cilk]
double real(int n) {
  if (n < 2)
    return n;
  double x = cilk_spawn real(n - 1);
  double y = cilk_spawn real(n - 2);
  cilk_sync;
  return x + y;
}

// Base cases return sums here, but the task does not fold with sums.
// CHECK-DAG: remarks.c:[[@LINE+1]]:1: remark: results of 'lowest' are combined as they come, by minimum [-Rpass=cilk]
int lowest(int n) {
  if (n < 2)
    return n + 4;
  int x = cilk_spawn lowest(n - 1);
  int y = cilk_spawn lowest(n / 2);
  cilk_sync;
  return x < y ? x : y;
}

// C computes with int, and the task keeps the low bits.
// CHECK-DAG: remark: results of 'narrow' are combined as they come, by sum [-Rpass=cilk]
short narrow(int n) {
  if (n < 2)
    return n;
  short x = cilk_spawn narrow(n - 1);
  short y = cilk_spawn narrow(n - 2);
  cilk_sync;
  return x + y;
}

// CHECK-DAG: remark: results of 'product' are not combined: floating-point arithmetic is not reassociated (-ffast-math allows it) [-Rpass-missed=cilk]
// FAST-DAG: remark: results of 'product' are not combined: only sums of floating-point numbers are combined [-Rpass-missed=cilk]
float product(int n) {
  if (n < 2)
    return n;
  float x = cilk_spawn product(n - 1);
  float y = cilk_spawn product(n - 2);
  cilk_sync;
  return x * y;
}

// CHECK-DAG: remark: results of 'average' are not combined: they are widened before they are folded; return the type that is folded, such as int [-Rpass-missed=cilk]
short average(int n) {
  if (n < 2)
    return n;
  short x = cilk_spawn average(n - 1);
  short y = cilk_spawn average(n - 2);
  cilk_sync;
  return (x + y) / 2;
}
