// Tests that a sum in a reducer is the sum of an ordinary loop: in a register, vectorised, also in the elision.
// RUN: %cilk2gpu -O3 --emit=llvm %s | FileCheck %s
#include <cilk/cilk.h>
static void zero(void *view) { *(long *)view = 0; }
static void add(void *left, void *right) { *(long *)left += *(long *)right; }
long cilk_reducer(zero, add) sum = 0;

void addAll(const long *values, long count) {
  cilk_for (long i = 0; i < count; ++i)
    sum += values[i];
}
// CHECK: define {{.*}} @addAll.serial(
// CHECK: add <2 x i64>
// CHECK: define internal void @[[LOOP:.*]].strand.k0(
// CHECK: call void @__cilk2gpu_views_enter(
// CHECK-NEXT: call fastcc void @[[LOOP]].loop(
// CHECK-NEXT: call void @__cilk2gpu_views_leave(
// CHECK: define internal fastcc void @[[LOOP]].strand.serial(
// CHECK: call ptr @__cilk2gpu_views_lookup(
// CHECK: add <2 x i64>
// CHECK: define internal fastcc void @[[LOOP]].loop(
// CHECK: call ptr @__hyper_lookup(
// CHECK: add <2 x i64>
