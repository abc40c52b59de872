// Tests that exceptions pass through elisions, and that the form of an elision that kernels call puts them into a slot.
// RUN: %cilk2gpuxx -fcilk-exceptions -O1 --emit=cilk %s -o - | FileCheck %s
// RUN: %cilk2gpuxx -fcilk-exceptions -O2 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=CODE
#include <cilk/cilk.h>
int risky(int n);

// Ordinary code in a task calls the elision that throws.
// CHECK-LABEL: llvm.func @_Z4walki(
// CHECK: llvm.call @_Z4walki.outside(
// CHECK: llvm.call @_Z4walki.serial(

// The elision calls itself without a slot. Its own exception goes on after that of a child.
// CHECK-LABEL: llvm.func internal @_Z4walki.serial(
// CHECK-SAME: %arg0: i32 {llvm.noundef}) -> i32 attributes
// CHECK-NOT: no_unwind
// CHECK: llvm.invoke @_Z4walki.serial(%{{[0-9]+}}) to
// CHECK-NOT: @_Z4walki.throwing.serial
// CHECK: llvm.call @__cilk2gpu_throw_held(

// CHECK-LABEL: llvm.func internal @_Z4walki.throwing.serial(
// CHECK-SAME: %arg1: !llvm.ptr, %arg2: i64, %arg3: !llvm.ptr)
// CHECK-SAME: no_unwind
// CHECK: llvm.invoke @_Z4walki.serial(%arg0) to
// CHECK: llvm.landingpad
// CHECK: llvm.call @__cilk2gpu_hold_exception(
// CHECK: llvm.call @__cilk2gpu_defer_exception(%arg1, %arg2

// The slot is in memory only after an exception: before the first call, nothing is stored.
// CODE-LABEL: define internal{{.*}} i32 @_Z4walki.serial(
// CODE-NOT: store
// CODE: invoke{{.*}} i32 @_Z4walki.serial(
int walk(int n) {
  if (n < 2)
    return risky(n);
  int a = cilk_spawn walk(n - 1);
  int b = walk(n - 2);
  cilk_sync;
  return a + b;
}
