// Tests that elisions have calls in place of spawns, store the same results, and have no syncs. Wrapper tasks call the
// ordinary function.
// RUN: cilk-opt %s --cilk-create-elisions | FileCheck %s

// CHECK-LABEL: llvm.func @fib(
// CHECK-SAME: cilk.elision = @fib.serial
// CHECK-LABEL: llvm.func internal @fib.serial(
// CHECK-NOT: cilk.
// CHECK: %[[A:.*]] = llvm.call @fib.serial
// CHECK-NEXT: llvm.store %[[A]], %{{.*}}
// CHECK: llvm.call @plain()
// CHECK: %[[B:.*]] = llvm.call @fib.serial
// CHECK: llvm.return %[[B]]
llvm.func @fib(%n: i32, %x: !llvm.ptr) -> i32 attributes {cilk.task} {
  cilk.spawn @fib(%n, %x) into %x : (i32, !llvm.ptr) -> i32
  cilk.spawn @plain.task() : () -> ()
  cilk.sync
  %b = cilk.call @fib(%n, %x) : (i32, !llvm.ptr) -> i32
  llvm.return %b : i32
}

llvm.func @plain()
// CHECK-LABEL: llvm.func internal @plain.task
// CHECK-NOT: cilk.elision
// CHECK: llvm.return
llvm.func internal @plain.task() attributes {cilk.wraps = @plain, cilk.task} {
  llvm.call @plain() : () -> ()
  llvm.return
}

// By-value arguments keep their attribute at the call: it is part of the calling convention.
// CHECK-LABEL: llvm.func internal @by_value.serial
// CHECK: llvm.call @by_value.serial(%{{.*}}) : (!llvm.ptr {llvm.byval = !llvm.struct<(i64, i64)>}) -> ()
llvm.func @by_value(%s: !llvm.ptr {llvm.byval = !llvm.struct<(i64, i64)>}) attributes {cilk.task} {
  cilk.spawn @by_value(%s) : (!llvm.ptr) -> ()
  llvm.return
}
