// Tests that exceptions pass through elisions, and that the form of an elision that kernels call puts them into a slot.
// RUN: %cilk2gpuxx -fcilk-exceptions -O0 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %cilk2gpuxx -fcilk-exceptions -O2 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=CODE
#include <cilk/cilk.h>
int risky(int n);

// Ordinary code in a task calls the elision that throws.
// CHECK-LABEL: define {{.*}}i32 @_Z4walki(
// CHECK: call {{.*}}i32 @_Z4walki.serial(
// CHECK-NOT: @_Z4walki.throwing
// CHECK-LABEL: define internal noundef i32 @_Z4walki.outside(

// The elision calls itself without a slot. The landing pad of the spawned call goes on in a second copy of the code; a
// plain call has none. In the second copy, both calls have landing pads, and the sync throws.
// CHECK-LABEL: define internal i32 @_Z4walki.serial(i32 {{[^,]*}}) #
// CHECK: invoke i32 @_Z4walki.serial(
// CHECK: landingpad
// CHECK: call ptr @__cilk2gpu_hold_exception(
// CHECK: call void @__cilk2gpu_defer_exception(
// CHECK: call i32 @_Z4walki.serial(
// CHECK-NOT: call i32 @_Z4walki.serial(
// CHECK: invoke i32 @_Z4walki.serial(
// CHECK: call void @__cilk2gpu_throw_held(

// CHECK-LABEL: define internal i32 @_Z4walki.throwing.serial(i32 {{[^,]*}}, ptr %1, i64 %2, ptr %3)
// CHECK: invoke i32 @_Z4walki.serial(i32 noundef %0)
// CHECK: landingpad
// CHECK: call ptr @__cilk2gpu_hold_exception(
// CHECK: call void @__cilk2gpu_defer_exception(ptr %1, i64 %2,

// Before the first call, nothing is stored in a slot.
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
