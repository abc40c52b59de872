// Tests that a function which may throw gets a form that puts its exceptions into a slot, and that a function which throws nothing
// is left alone.
// RUN: %cilk2gpuxx -fcilk-exceptions -O1 --emit=cilk %s -o - | FileCheck %s
// RUN: %cilk2gpuxx -fcilk-exceptions -O1 --emit=cilk --offload-arch=gfx90a -DDEVICE %s -o - | FileCheck %s --check-prefix=DEVICE
int risky(int n);
int quiet(int n) noexcept;

// CHECK-LABEL: llvm.func @_Z4calmi(
// CHECK-SAME: %{{[a-z0-9]+}}: i32
// CHECK-NOT: landingpad
// CHECK-NOT: __cilk2gpu_leave_handlers
// CHECK: cilk.spawn @_Z4calmi(
// DEVICE-NOT: .throwing
int calm(int n) {
  if (n < 2)
    return quiet(n);
  int a = cilk_spawn calm(n - 1);
  int b = calm(n - 2);
  cilk_sync;
  return a + b;
}

#ifndef DEVICE
// The spawn passes the slot, a number and the destination. Behind the sync, the parent throws. A child that throws returns
// the value that the destination has, so that the destination keeps it.
// CHECK-LABEL: llvm.func internal @_Z5throwi.throwing(
// CHECK-SAME: i32{{.*}}, %{{[a-z0-9]+}}: !llvm.ptr, %{{[a-z0-9]+}}: i64, %[[DEST:[a-z0-9]+]]: !llvm.ptr)
// CHECK: cilk.spawn @_Z5throwi.throwing(
// CHECK: cilk.sync
// CHECK: llvm.invoke @__cilk2gpu_throw_held(
// CHECK: llvm.landingpad
// CHECK: llvm.call @__cilk2gpu_hold_exception(
// CHECK: cilk.sync
// CHECK: llvm.call @__cilk2gpu_first_exception(
// CHECK: llvm.call @__cilk2gpu_defer_exception(
// CHECK-NEXT: llvm.icmp "eq" %[[DEST]], %
// CHECK-NEXT: llvm.cond_br {{.*}}, ^[[OLD:bb[0-9]+]]
// CHECK-NEXT: ^[[OLD]]:
// CHECK-NEXT: llvm.load %[[DEST]] {{.*}} -> i32
int throw_(int n) __asm__("_Z5throwi");
int throw_(int n) {
  if (n < 2)
    return risky(n);
  int a = cilk_spawn throw_(n - 1);
  cilk_sync;
  return a;
}

// Iterations have a handler, and the loop has a slot.
// CHECK: llvm.call @__cilk2gpu_defer_caught(
void loop(int n) { cilk_for(int i = 0; i < n; ++i) risky(i); }
#endif
