// Tests that a plain call in a loop may run as its elision, and that other calls, and tasks with views of reducers, keep
// their calls.
// RUN: cilk-opt %s --cilk-call-in-place | FileCheck %s

// CHECK: llvm.func @__cilk2gpu_call_in_place() -> i32
llvm.func @f.serial(%n: i32) -> i32
llvm.func @f(%n: i32) -> i32 attributes {cilk.task, cilk.elision = @f.serial} {
  llvm.return %n : i32
}
llvm.func @sums.serial(%n: i32) -> i32
llvm.func @sums(%n: i32) -> i32 attributes {cilk.task, cilk.elision = @sums.serial, passthrough = ["cilk2gpu-tracks"]} {
  llvm.return %n : i32
}

// CHECK-LABEL: llvm.func @loop
// CHECK: ^[[HEAD:bb[0-9]+]](%[[N:.*]]: i32):
// CHECK: %[[ANSWER:.*]] = llvm.call @__cilk2gpu_call_in_place()
// CHECK: %[[IN_PLACE:.*]] = llvm.icmp "ne" %[[ANSWER]]
// CHECK: llvm.cond_br %[[IN_PLACE]], ^[[ELISION:bb[0-9]+]], ^[[GRAPH:bb[0-9]+]]
// CHECK: ^[[ELISION]]:
// CHECK-NEXT: %[[E:.*]] = llvm.call @f.serial(%[[N]]) {no_inline}
// CHECK-NEXT: llvm.br ^[[REST:bb[0-9]+]](%[[E]] : i32)
// CHECK: ^[[GRAPH]]:
// CHECK-NEXT: %[[G:.*]] = cilk.call @f(%[[N]])
// CHECK-NEXT: llvm.br ^[[REST]](%[[G]] : i32)
// CHECK: ^[[REST]](%[[R:.*]]: i32):
// CHECK: llvm.cond_br %{{.*}}, ^[[HEAD]](%[[R]] : i32), ^[[END:bb[0-9]+]]
// CHECK: ^[[END]]:
// CHECK-NOT: @__cilk2gpu_call_in_place
// CHECK: cilk.call @f(%[[R]])
llvm.func @loop(%n: i32, %again: i1) -> i32 attributes {cilk.task} {
  llvm.br ^head(%n : i32)
^head(%i: i32):
  %r = cilk.call @f(%i) : (i32) -> i32
  llvm.cond_br %again, ^head(%r : i32), ^end
^end:
  %last = cilk.call @f(%r) : (i32) -> i32
  llvm.return %last : i32
}

// CHECK-LABEL: llvm.func @reducers
// CHECK-NOT: @__cilk2gpu_call_in_place
// CHECK: llvm.return
llvm.func @reducers(%n: i32, %again: i1) -> i32 attributes {cilk.task} {
  llvm.br ^head(%n : i32)
^head(%i: i32):
  %r = cilk.call @sums(%i) : (i32) -> i32
  llvm.cond_br %again, ^head(%r : i32), ^end
^end:
  llvm.return %r : i32
}
