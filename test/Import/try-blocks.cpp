// Tests that a landing pad with children outstanding holds its exception over a sync. Other landing pads, and those in handlers,
// do not. A value that several invokes bring to a landing pad is saved behind the landing.
// RUN: %cilk2gpuxx -fcilk-exceptions -O1 --emit=cilk %s -o - | FileCheck %s
// RUN: %cilk2gpuxx -fcilk-exceptions -O1 --emit=channel %s -o - | FileCheck %s --check-prefix=CHANNEL
void risky(int n);
int leaf(int n);

// CHECK-LABEL: llvm.func internal @_Z11outstandingi.throwing(
// CHECK: llvm.invoke @_Z5riskyi({{.*}} unwind ^[[PLAIN:bb[0-9]+]]
// CHECK: cilk.spawn
// CHECK: llvm.invoke @_Z5riskyi({{.*}} unwind ^[[HOLDS:bb[0-9]+]]
// CHECK: ^[[PLAIN]]:
// CHECK-NEXT: llvm.landingpad
// CHECK-NOT: hold_exception
// CHECK: ^[[HOLDS]]:
// CHECK-NEXT: llvm.landingpad
// CHECK: %[[HELD:.*]] = llvm.call @__cilk2gpu_hold_exception
// CHECK-NEXT: cilk.sync
// CHECK-NEXT: %[[FIRST:.*]] = llvm.call @__cilk2gpu_first_exception(%[[HELD]]
// CHECK-NEXT: llvm.invoke @__cilk2gpu_throw_held(%[[FIRST]]) to {{.*}} unwind ^[[AGAIN:bb[0-9]+]]
// CHECK-NEXT: ^[[AGAIN]]:
// CHECK-NEXT: llvm.landingpad
int outstanding(int n) {
  int sum = 0;
  try {
    risky(n);
    int x = cilk_spawn leaf(n);
    risky(n + 1);
    cilk_sync;
    sum = x;
  } catch (int error) {
    sum = error;
  }
  return sum;
}

// CHANNEL: llvm.func internal @_Z6valuesi.throwing.k0
// CHANNEL: ^bb{{[0-9]+}}(%[[SUM:[0-9]+]]: i32):
// CHANNEL-NEXT: llvm.landingpad
// CHANNEL-NEXT: llvm.extractvalue
// CHANNEL-NEXT: llvm.call @__cilk2gpu_hold_exception
// CHANNEL: llvm.store %[[SUM]]
int values(int n) {
  int sum = 0;
  try {
    risky(n);
    sum = leaf(n);
    cilk_spawn leaf(n);
    risky(n + 1);
    sum += leaf(n);
    risky(n + 2);
    cilk_sync;
  } catch (int) {
    sum += 7;
  }
  int x = cilk_spawn leaf(sum);
  cilk_sync;
  return sum + x;
}
