// Tests that an ordinary entry calls the elision inside a task. Elsewhere, it asks its record whether the call goes
// straight to the elision. A function of its own starts the graph and ends timed calls. It asks the record of a
// recursive elision, too, and calls that on a stack of the runtime's. Code for devices and counted code has no records.
// RUN: cilk-opt %s --convert-channel-to-llvm | FileCheck %s
// RUN: cilk-opt %s --convert-channel-to-llvm="counts=true" | FileCheck %s --check-prefix=COUNTED
// CHECK: llvm.mlir.global external thread_local @__cilk2gpu_direct_calls()
// COUNTED-NOT: __cilk2gpu_enter
module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<64> : vector<4xi64>, i32 = dense<32> : vector<2xi64>, i64 = dense<64> : vector<2xi64>>} {
channel.graph @g {
  channel.stack @f (i32)
  channel.kernel @f.k0 segment 0 of @f body @f.0.body consumes @f spawns [] publishes []
  channel.stack @deep (i32)
  channel.kernel @deep.k0 segment 0 of @deep body @deep.0.body consumes @deep spawns [] publishes []
  channel.stack @around (i32)
  channel.kernel @around.k0 segment 0 of @around body @around.0.body consumes @around spawns [] publishes []
  channel.stack @throwing (i32)
  channel.kernel @throwing.k0 segment 0 of @throwing body @throwing.0.body consumes @throwing spawns [] publishes []
}
llvm.func @f.0.body() {
  %in, %n = channel.deq @g::@f : i32
  channel.tfree @g::@f %in : !channel.element
  llvm.return
}
llvm.func @deep.0.body() {
  %in, %n = channel.deq @g::@deep : i32
  channel.tfree @g::@deep %in : !channel.element
  llvm.return
}
llvm.func @around.0.body() {
  %in, %n = channel.deq @g::@around : i32
  channel.tfree @g::@around %in : !channel.element
  llvm.return
}
llvm.func @around.serial() attributes {no_unwind} {
  llvm.call @first() : () -> ()
  llvm.return
}
llvm.func @first() attributes {no_unwind} {
  llvm.call @second() : () -> ()
  llvm.return
}
llvm.func @second() attributes {no_unwind} {
  llvm.call @around.serial() : () -> ()
  llvm.return
}
llvm.func @throwing.0.body() {
  %in, %n = channel.deq @g::@throwing : i32
  channel.tfree @g::@throwing %in : !channel.element
  llvm.return
}
llvm.func @throwing.serial(%n: i32) {
  llvm.return
}
llvm.func @f.serial(%n: i32) attributes {no_unwind} {
  llvm.return
}
llvm.func @deep.serial() attributes {no_unwind} {
  llvm.call @deep.serial() : () -> ()
  llvm.return
}

// CHECK-LABEL: llvm.func @f(
// CHECK: %[[DEPTH:.*]] = llvm.mlir.addressof @__cilk2gpu_inside_tasks
// CHECK: %[[LEVEL:.*]] = llvm.load %[[DEPTH]]
// CHECK: %[[INSIDE:.*]] = llvm.icmp "ne" %[[LEVEL]]
// CHECK: llvm.cond_br %[[INSIDE]], ^[[SERIAL:bb[0-9]+]], ^[[ASK:bb[0-9]+]]
// CHECK: ^[[ASK]]:
// CHECK: llvm.mlir.addressof @__cilk2gpu_entry_f
// CHECK: llvm.load %{{.*}} atomic monotonic
// CHECK: llvm.cond_br %{{.*}} weights([64, 1]), ^[[DIRECT:bb[0-9]+]], ^[[START:bb[0-9]+]]
// CHECK: ^[[DIRECT]]:
// CHECK: llvm.store
// CHECK-NEXT: llvm.br ^[[SERIAL]]
// CHECK: ^[[SERIAL]]:
// CHECK-NEXT: llvm.call @f.serial(
// CHECK-NEXT: llvm.return
// CHECK: ^[[START]]:
// CHECK-NEXT: llvm.call @f.start(%{{.*}}) {no_inline}
// CHECK-NEXT: llvm.return
// CHECK-LABEL: llvm.func internal @f.start(
// CHECK-SAME: "cold"
// CHECK-NOT: atomic monotonic
// CHECK: %[[TOKEN:.*]] = llvm.call @__cilk2gpu_enter(
// CHECK: %[[ELIDES:.*]] = llvm.trunc %[[TOKEN]] : i64 to i1
// CHECK: llvm.cond_br %[[ELIDES]], ^[[ELISION:bb[0-9]+]](%[[TOKEN]] : i64), ^bb
// CHECK: ^[[ELISION]](%[[OWN:.*]]: i64):
// CHECK: llvm.call @f.serial(
// CHECK: llvm.icmp "ugt" %[[OWN]]
// CHECK: llvm.call @__cilk2gpu_left(%{{.*}}, %[[OWN]])
// CHECK: llvm.call @__cilk2gpu_execute()
// CHECK: llvm.call @__cilk2gpu_left(%{{.*}}, %[[TOKEN]])
llvm.func @f(%n: i32) {
  %serial = channel.serial : i1
  llvm.cond_br %serial, ^serial, ^run
^serial:
  llvm.call @f.serial(%n) : (i32) -> ()
  llvm.return
^run:
  channel.root @g::@f (%n : i32)
  channel.execute
  llvm.return
}

// CHECK-LABEL: llvm.func @deep(
// CHECK-NOT: atomic monotonic
// CHECK: llvm.call @deep.serial()
// CHECK-LABEL: llvm.func internal @deep.start(
// CHECK: atomic monotonic
// CHECK-NOT: llvm.call @deep.serial()
// CHECK: llvm.call @__cilk2gpu_call_elision(
// CHECK-LABEL: llvm.func internal @deep.start.direct(
// CHECK: llvm.call @deep.serial()
llvm.func @deep(%n: i32) {
  %serial = channel.serial : i1
  llvm.cond_br %serial, ^serial, ^run
^serial:
  llvm.call @deep.serial() : () -> ()
  llvm.return
^run:
  channel.root @g::@deep (%n : i32)
  channel.execute
  llvm.return
}

// A recursion may go through other functions.
// CHECK-LABEL: llvm.func internal @around.start(
// CHECK-NOT: llvm.call @around.serial()
// CHECK: llvm.call @__cilk2gpu_call_elision(
// CHECK-LABEL: llvm.func internal @around.start.direct(
llvm.func @around(%n: i32) {
  %serial = channel.serial : i1
  llvm.cond_br %serial, ^serial, ^run
^serial:
  llvm.call @around.serial() : () -> ()
  llvm.return
^run:
  channel.root @g::@around (%n : i32)
  channel.execute
  llvm.return
}

// An elision that may throw is called in a run only.
// CHECK-LABEL: llvm.func @throwing(
// CHECK-NOT: llvm.call @__cilk2gpu_enter(
// CHECK: llvm.call @throwing.serial(
// CHECK-LABEL: llvm.func internal @throwing.start(
// CHECK-NOT: llvm.call @__cilk2gpu_enter(
// CHECK: llvm.call @__cilk2gpu_execute()
// CHECK-NOT: llvm.call @__cilk2gpu_left(
llvm.func @throwing(%n: i32) {
  %serial = channel.serial : i1
  llvm.cond_br %serial, ^serial, ^run
^serial:
  llvm.call @throwing.serial(%n) : (i32) -> ()
  llvm.return
^run:
  channel.root @g::@throwing (%n : i32)
  channel.execute
  llvm.return
}
// CHECK-DAG: llvm.mlir.global internal @__cilk2gpu_entry_f(dense<0>
// CHECK-DAG: llvm.mlir.global internal @__cilk2gpu_entry_deep(dense<[0, 1, 0,
// CHECK-DAG: llvm.mlir.global internal @__cilk2gpu_entry_around(dense<[0, 1, 0,
}
