// Tests that a task returns what it stores through a parameter at its end, and only that.
// RUN: cilk-opt %s --cilk-return-parameters | FileCheck %s

// CHECK-LABEL: llvm.func @into(
// CHECK-SAME: %[[N:.*]]: i32, %[[P:.*]]: !llvm.ptr)
// CHECK-NEXT: cilk.spawn @into.value(%[[N]]) into %[[P]] : (i32) -> i64
// CHECK-NEXT: llvm.return
// CHECK-LABEL: llvm.func internal @into.value(
// CHECK-SAME: %{{.*}}: i32) -> i64
// CHECK: cilk.spawn @into.value(%{{.*}}) into %[[X:.*]] : (i32) -> i64
// CHECK: cilk.sync
// CHECK: %[[R:.*]] = llvm.load %[[X]]
// CHECK: llvm.return %{{.*}} : i64
llvm.func @into(%n: i32, %p: !llvm.ptr) attributes {cilk.task} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i64 : (i32) -> !llvm.ptr
  %small = llvm.icmp "slt" %n, %one : i32
  llvm.cond_br %small, ^leaf, ^more
^leaf:
  %own = llvm.sext %n : i32 to i64
  llvm.store %own, %p : i64, !llvm.ptr
  llvm.br ^end
^more:
  %n1 = llvm.sub %n, %one : i32
  cilk.spawn @into(%n1, %x) : (i32, !llvm.ptr) -> ()
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i64
  llvm.store %a, %p : i64, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return
}

// A plain call of the task stores the value.
// CHECK-LABEL: llvm.func @caller(
// CHECK: %[[V:.*]] = cilk.call @into.value(%{{.*}}) : (i32) -> i64
// CHECK-NEXT: llvm.store %[[V]], %{{.*}} {alignment = 1 : i64}
llvm.func @caller(%n: i32, %p: !llvm.ptr) -> i32 attributes {cilk.task} {
  cilk.call @into(%n, %p) : (i32, !llvm.ptr) -> ()
  llvm.return %n : i32
}

// Not if the store comes before other effects, is missing on a path, or if the parameter is used otherwise.
// CHECK-NOT: early.value
llvm.func @early(%n: i32, %p: !llvm.ptr) attributes {cilk.task} {
  llvm.store %n, %p : i32, !llvm.ptr
  cilk.spawn @sync_only() : () -> ()
  llvm.return
}
// CHECK-NOT: sometimes.value
llvm.func @sometimes(%n: i32, %p: !llvm.ptr, %c: i1) attributes {cilk.task} {
  cilk.spawn @sometimes(%n, %p, %c) : (i32, !llvm.ptr, i1) -> ()
  cilk.sync
  llvm.cond_br %c, ^store, ^end
^store:
  llvm.store %n, %p : i32, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return
}
// CHECK-NOT: adds.value
llvm.func @adds(%n: i32, %p: !llvm.ptr) attributes {cilk.task} {
  cilk.spawn @sync_only() : () -> ()
  cilk.sync
  %old = llvm.load %p : !llvm.ptr -> i32
  %new = llvm.add %old, %n : i32
  llvm.store %new, %p : i32, !llvm.ptr
  llvm.return
}
// CHECK-NOT: copy.value
llvm.func @copy(%n: i32, %p: !llvm.ptr {llvm.byval = i32}) attributes {cilk.task} {
  cilk.spawn @sync_only() : () -> ()
  cilk.sync
  llvm.store %n, %p : i32, !llvm.ptr
  llvm.return
}
llvm.func @sync_only() attributes {cilk.task} {
  cilk.sync
  llvm.return
}
