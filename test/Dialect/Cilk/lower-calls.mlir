// Tests that a plain call becomes a spawn into a local, a sync and a load.
// RUN: cilk-opt %s --cilk-lower-calls | FileCheck %s

llvm.func @f(%n: i32) -> i32 attributes {cilk.task} {
  llvm.return %n : i32
}
llvm.func @v() attributes {cilk.task} {
  llvm.return
}

// CHECK-LABEL: llvm.func @with_result
// CHECK: %[[SLOT:.*]] = llvm.alloca
// CHECK: cilk.spawn @f(%{{.*}}) into %[[SLOT]] : (i32) -> i32
// CHECK-NEXT: cilk.sync
// CHECK-NEXT: %[[R:.*]] = llvm.load %[[SLOT]]
// CHECK-NEXT: llvm.return %[[R]]
llvm.func @with_result(%n: i32) -> i32 attributes {cilk.task} {
  %r = cilk.call @f(%n) : (i32) -> i32
  llvm.return %r : i32
}

// CHECK-LABEL: llvm.func @without_result
// CHECK-NEXT: cilk.spawn @v() : () -> ()
// CHECK-NEXT: cilk.sync
// CHECK-NEXT: llvm.return
llvm.func @without_result() attributes {cilk.task} {
  cilk.call @v() : () -> ()
  llvm.return
}
