// Tests that every operation of the cilk dialect and every optional part round-trips.
// RUN: cilk-opt %s --verify-roundtrip | FileCheck %s

llvm.func @fib(i32) -> i32
llvm.func @visit(!llvm.ptr {llvm.byval = !llvm.struct<(i64, i64)>})
llvm.func @nothing()

// CHECK-LABEL: llvm.func @parent
// CHECK-SAME: cilk.task
llvm.func @parent(%n: i32, %x: !llvm.ptr) attributes {cilk.task} {
  // CHECK: cilk.spawn @fib(%{{.*}}) into %{{.*}} : (i32) -> i32
  cilk.spawn @fib(%n) into %x : (i32) -> i32
  // CHECK: cilk.spawn @fib(%{{.*}}) : (i32) -> i32
  cilk.spawn @fib(%n) : (i32) -> i32
  // CHECK: cilk.spawn @visit(%{{.*}}) : (!llvm.ptr) -> ()
  cilk.spawn @visit(%x) : (!llvm.ptr) -> ()
  // CHECK: cilk.spawn @nothing() : () -> ()
  cilk.spawn @nothing() : () -> ()
  // CHECK: cilk.sync
  cilk.sync
  // CHECK: %{{.*}} = cilk.call @fib(%{{.*}}) : (i32) -> i32
  %r = cilk.call @fib(%n) : (i32) -> i32
  // CHECK: cilk.call @nothing() : () -> ()
  cilk.call @nothing() : () -> ()
  llvm.return
}
