// Tests that a call through a pointer is a task of its own. First, the pointer is compared with Cilk functions of this module
// whose address is taken and whose type is the same. If one is equal, the call becomes its task, as if named.
// RUN: %cilk2gpu --emit=cilk %s | FileCheck %s
static int other(int);
int (*volatile chosen)(int) = other;
long (*volatile wide)(int);

// CHECK-LABEL: llvm.func internal @other(
// CHECK: %[[OTHER:.*]] = llvm.mlir.addressof @other
// CHECK: %[[POINTER:.*]] = llvm.load volatile
// CHECK: llvm.icmp "eq" %[[POINTER]], %[[OTHER]]
// CHECK-DAG: cilk.spawn @other(
// CHECK-DAG: cilk.spawn @other.spawn0({{.*}}%[[POINTER]]
// CHECK: llvm.return
static int other(int n) {
  int x = 0;
  if (n > 0)
    x = cilk_spawn chosen(n - 1);
  cilk_sync;
  return x;
}

// CHECK-LABEL: llvm.func @others(
// CHECK-NOT: cilk.spawn @other
// CHECK: cilk.spawn @others.spawn0(
// CHECK-NOT: cilk.spawn
// CHECK: llvm.return
long others(int n) {
  long x = cilk_spawn wide(n);
  cilk_sync;
  return x;
}

// CHECK-LABEL: llvm.func internal @other.spawn0(
// CHECK-SAME: %[[TARGET:[a-z0-9]*]]: !llvm.ptr
// CHECK: llvm.call %{{.*}}(%{{.*}}) : !llvm.ptr
