// Tests that a spawned ordinary function gets one wrapper task, and that Cilk functions are left alone.
// RUN: cilk-opt %s --cilk-wrap-ordinary-callees | FileCheck %s

// CHECK-LABEL: llvm.func internal @plain.task(%{{.*}}: i32 {llvm.signext}) -> i32
// CHECK-SAME: cilk.task, cilk.wraps = @plain
// CHECK: %[[R:.*]] = llvm.call @plain(%{{.*}}) : (i32 {llvm.signext}) -> i32
// CHECK: llvm.return %[[R]]
llvm.func @plain(i32 {llvm.signext}) -> i32

// CHECK-LABEL: llvm.func @f
// CHECK-NEXT: cilk.spawn @plain.task
// CHECK-NEXT: cilk.spawn @plain.task
// CHECK-NEXT: cilk.spawn @f
llvm.func @f(%n: i32) attributes {cilk.task} {
  cilk.spawn @plain(%n) : (i32) -> i32
  cilk.spawn @plain(%n) : (i32) -> i32
  cilk.spawn @f(%n) : (i32) -> ()
  llvm.return
}
