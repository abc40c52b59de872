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
// CHECK-NOT: cilk.
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

// The serial loop of a cilk_for's task is the task's elision. It is no task any more, and is inlined where it is called.
// CHECK-LABEL: llvm.func @loop(
// CHECK-SAME: cilk.elision = @loop.serial
// CHECK-LABEL: llvm.func internal @loop.serial(
// CHECK: llvm.call @loop.for0.loop(%{{.*}}) {always_inline}
llvm.func @loop(%n: i64) attributes {cilk.task} {
  cilk.call @loop.for0(%n) : (i64) -> ()
  llvm.return
}
// CHECK-LABEL: llvm.func internal @loop.for0(
// CHECK-SAME: cilk.elision = @loop.for0.loop
llvm.func internal @loop.for0(%n: i64) attributes {cilk.task} {
  cilk.spawn @loop.for0(%n) : (i64) -> ()
  cilk.spawn @plain.task() : () -> ()
  llvm.return
}
// A task whose loop calls it has an elision of one iteration, too, in which the halves of the range are left out.
// CHECK-LABEL: llvm.func internal @loop.for0.serial(
// CHECK-NEXT: llvm.call @plain() : () -> ()
// CHECK-NEXT: llvm.return
// CHECK-LABEL: llvm.func internal @loop.for0.loop(
// CHECK-NOT: cilk.task
// CHECK: llvm.call @loop.for0.serial(%{{.*}}) {always_inline}
llvm.func internal @loop.for0.loop(%n: i64)
    attributes {cilk.task, passthrough = [["cilk2gpu-serial-loop", "loop.for0"]]} {
  cilk.call @loop.for0(%n) : (i64) -> ()
  llvm.return
}

// x += cilk_spawn fib(...): a plain update if only the elision knows x, else an atomic one in the spawned task's elision.
// CHECK-LABEL: llvm.func internal @adds.serial(
// CHECK: %[[R:.*]] = llvm.call @fib.serial(
// CHECK-NEXT: %[[OLD:.*]] = llvm.load %[[X:.*]] : !llvm.ptr -> i32
// CHECK-NEXT: %[[NEW:.*]] = llvm.sub %[[OLD]], %[[R]]
// CHECK-NEXT: llvm.store %[[NEW]], %[[X]]
// CHECK: llvm.call @adds.spawn0.serial(%{{.*}}, %{{.*}})
llvm.func @adds(%n: i32, %p: !llvm.ptr) -> i32 attributes {cilk.task} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %n, %x : i32, !llvm.ptr
  cilk.spawn @adds.spawn0(%n, %x) : (i32, !llvm.ptr) -> ()
  cilk.spawn @adds.spawn0(%n, %p) : (i32, !llvm.ptr) -> ()
  cilk.sync
  %r = llvm.load %x : !llvm.ptr -> i32
  llvm.return %r : i32
}
// CHECK-LABEL: llvm.func internal @adds.spawn0.serial(
// CHECK: llvm.atomicrmw sub
llvm.func internal @adds.spawn0(%n: i32, %x: !llvm.ptr) attributes {cilk.task} {
  %null = llvm.mlir.zero : !llvm.ptr
  %r = cilk.call @fib(%n, %null) : (i32, !llvm.ptr) -> i32
  %old = llvm.atomicrmw sub %x, %r monotonic {cilk.update} : !llvm.ptr, i32
  llvm.return
}
