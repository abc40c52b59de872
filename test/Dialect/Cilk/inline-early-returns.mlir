// Tests the part of a task that is copied to its spawns: the early return. It must be small, and only effects that are seen once
// may be in it.
// RUN: cilk-opt %s --cilk-inline-early-returns --split-input-file | FileCheck %s

// Nothing else runs the task, so it only runs when it goes on.
// CHECK-LABEL: llvm.func internal @sum.acc(
// CHECK-SAME: %[[N:.*]]: i32, %[[ACC:.*]]: !llvm.ptr)
// CHECK-NOT: llvm.cond_br
// CHECK: %[[N1:.*]] = llvm.sub %[[N]]
// CHECK: %[[SMALL:.*]] = llvm.icmp "slt" %[[N1]], %{{.*}} : i32
// CHECK: llvm.cond_br %[[SMALL]], ^[[LEAF:bb[0-9]+]], ^[[MORE:bb[0-9]+]]
// CHECK: ^[[LEAF]]:
// CHECK: llvm.atomicrmw add %[[ACC]], %[[N1]] monotonic {cilk.accumulate}
// CHECK: llvm.br ^[[NEXT:bb[0-9]+]]
// CHECK: ^[[MORE]]:
// CHECK: cilk.spawn @sum.acc(%[[N1]], %[[ACC]])
// CHECK: llvm.br ^[[NEXT]]
llvm.func internal @sum.acc(%n: i32, %acc: !llvm.ptr) attributes {cilk.task} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %small = llvm.icmp "slt" %n, %two : i32
  llvm.cond_br %small, ^leaf, ^more
^leaf:
  llvm.atomicrmw add %acc, %n monotonic {cilk.accumulate} : !llvm.ptr, i32
  llvm.return
^more:
  %n1 = llvm.sub %n, %one : i32
  cilk.spawn @sum.acc(%n1, %acc) : (i32, !llvm.ptr) -> ()
  cilk.sync
  llvm.return
}

// -----

// A result is stored where the spawn wants it. Others may run the task, so it keeps the early return.
// CHECK-LABEL: llvm.func @fib(
// CHECK: llvm.cond_br
// CHECK: %[[X:.*]] = llvm.sub
// CHECK: llvm.icmp "slt" %[[X]]
// CHECK: llvm.cond_br %{{.*}}, ^[[RETURN:bb[0-9]+]](%[[X]] : i32)
// CHECK: ^[[RETURN]](%[[R:.*]]: i32):
// CHECK-NEXT: llvm.store %[[R]], %{{.*}} : i32, !llvm.ptr
// CHECK: cilk.spawn @fib(%[[X]]) into
// An unused result is not stored.
// CHECK: %[[Y:.*]] = llvm.sub
// CHECK: llvm.icmp "slt" %[[Y]]
// CHECK-NOT: llvm.store
// CHECK: cilk.spawn @fib(%[[Y]]) :
llvm.func @fib(%n: i32) -> i32 attributes {cilk.task} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %small = llvm.icmp "slt" %n, %two : i32
  llvm.cond_br %small, ^end(%n : i32), ^more
^more:
  %n1 = llvm.sub %n, %one : i32
  cilk.spawn @fib(%n1) into %x : (i32) -> i32
  %n2 = llvm.sub %n, %two : i32
  cilk.spawn @fib(%n2) : (i32) -> i32
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i32
  llvm.br ^end(%a : i32)
^end(%r: i32):
  llvm.return %r : i32
}

// -----

// A result that may go to a field of a packed struct.
// CHECK-LABEL: llvm.func @anywhere(
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 1 : i64} : i32, !llvm.ptr
llvm.func @same(%n: i32) -> i32 attributes {cilk.task} {
  llvm.return %n : i32
}
llvm.func @anywhere(%p: !llvm.ptr, %n: i32) attributes {cilk.task} {
  cilk.spawn @same(%n) into %p : (i32) -> i32
  cilk.sync
  llvm.return
}

// -----

// A task that always returns at once is never spawned. It may read arguments that are passed by value.
// CHECK-LABEL: llvm.func @parent(
// CHECK-NOT: cilk.spawn
// CHECK: llvm.return
llvm.func @read(%s: !llvm.ptr {llvm.byval = i64}, %to: !llvm.ptr) attributes {cilk.task} {
  %v = llvm.load %s : !llvm.ptr -> i64
  llvm.store %v, %to : i64, !llvm.ptr
  llvm.return
}
llvm.func @parent(%s: !llvm.ptr, %to: !llvm.ptr) attributes {cilk.task} {
  cilk.spawn @read(%s, %to) : (!llvm.ptr, !llvm.ptr) -> ()
  cilk.sync
  llvm.return
}

// -----

// A loop that may end at once: the copy has its head, but in the task the head is met again, and stays.
// CHECK-LABEL: llvm.func internal @count.acc(
// CHECK: llvm.br ^[[HEAD:bb[0-9]+]](
// CHECK: ^[[HEAD]](%[[I:.*]]: i32):
// CHECK: %[[MORE:.*]] = llvm.icmp "sgt" %[[I]]
// CHECK: llvm.cond_br %[[MORE]]
// CHECK-LABEL: llvm.func @start(
// CHECK: llvm.br ^[[FIRST:bb[0-9]+]](%{{.*}} : i32)
// CHECK: ^[[FIRST]](%[[I:.*]]: i32):
// CHECK: %[[MORE:.*]] = llvm.icmp "sgt" %[[I]]
// CHECK: llvm.cond_br %[[MORE]], ^[[CHILD:bb[0-9]+]], ^
// CHECK: ^[[CHILD]]:
// CHECK-NEXT: cilk.spawn @count.acc
llvm.func internal @count.acc(%n: i32, %acc: !llvm.ptr) attributes {cilk.task} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^head(%n : i32)
^head(%i: i32):
  %more = llvm.icmp "sgt" %i, %zero : i32
  llvm.cond_br %more, ^body, ^end
^body:
  llvm.atomicrmw add %acc, %i monotonic {cilk.accumulate} : !llvm.ptr, i32
  %next = llvm.sub %i, %one : i32
  llvm.br ^head(%next : i32)
^end:
  llvm.return
}
llvm.func @start(%n: i32, %acc: !llvm.ptr) attributes {cilk.task} {
  cilk.spawn @count.acc(%n, %acc) : (i32, !llvm.ptr) -> ()
  cilk.sync
  llvm.return
}

// -----

// The task reads memory for its decision. The value that it read at the spawn might have changed, so it reads again.
// CHECK-LABEL: llvm.func internal @visit(
// CHECK: llvm.load
// CHECK: llvm.cond_br
// CHECK: llvm.load
// CHECK: llvm.cond_br
// CHECK: cilk.spawn
llvm.func internal @visit(%p: !llvm.ptr) attributes {cilk.task} {
  %null = llvm.mlir.zero : !llvm.ptr
  %next = llvm.load %p : !llvm.ptr -> !llvm.ptr
  %none = llvm.icmp "eq" %next, %null : !llvm.ptr
  llvm.cond_br %none, ^end, ^more
^more:
  cilk.spawn @visit(%next) : (!llvm.ptr) -> ()
  cilk.sync
  llvm.br ^end
^end:
  llvm.return
}

// -----

llvm.func @work(%n: i32)

// Not copied: tasks that change their own copy of an argument, that have effects before they go on, that call or loop, or that
// must not be inlined; and nothing in a loop.
// CHECK-LABEL: llvm.func @many(
// CHECK-NOT: llvm.cond_br
// CHECK: cilk.spawn @writes
// CHECK-NEXT: cilk.spawn @shows
// CHECK-NEXT: cilk.spawn @calls
// CHECK-NEXT: cilk.spawn @loops
// CHECK-NEXT: cilk.spawn @noinline
// CHECK-NEXT: llvm.br ^[[LOOP:bb[0-9]+]]
// CHECK: ^[[LOOP]]
// CHECK: cilk.spawn @small
llvm.func @writes(%n: i32, %s: !llvm.ptr {llvm.byval = i32}) attributes {cilk.task} {
  llvm.store %n, %s : i32, !llvm.ptr
  llvm.return
}
llvm.func @shows(%n: i32, %p: !llvm.ptr) attributes {cilk.task} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %small = llvm.icmp "slt" %n, %one : i32
  llvm.store %n, %p : i32, !llvm.ptr
  llvm.cond_br %small, ^end, ^more
^more:
  cilk.spawn @calls(%n) : (i32) -> ()
  cilk.sync
  llvm.br ^end
^end:
  llvm.return
}
llvm.func @calls(%n: i32) attributes {cilk.task} {
  llvm.call @work(%n) : (i32) -> ()
  llvm.return
}
llvm.func @loops(%n: i32) attributes {cilk.task} {
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%n : i32)
^loop(%i: i32):
  %next = llvm.sub %i, %one : i32
  %again = llvm.icmp "sgt" %next, %one : i32
  llvm.cond_br %again, ^loop(%next : i32), ^end
^end:
  llvm.return
}
llvm.func @noinline(%n: i32) attributes {cilk.task, passthrough = ["noinline"]} {
  llvm.return
}
llvm.func @small(%n: i32) attributes {cilk.task} {
  llvm.return
}
llvm.func @many(%n: i32, %p: !llvm.ptr) attributes {cilk.task} {
  cilk.spawn @writes(%n, %p) : (i32, !llvm.ptr) -> ()
  cilk.spawn @shows(%n, %p) : (i32, !llvm.ptr) -> ()
  cilk.spawn @calls(%n) : (i32) -> ()
  cilk.spawn @loops(%n) : (i32) -> ()
  cilk.spawn @noinline(%n) : (i32) -> ()
  llvm.br ^loop(%n : i32)
^loop(%i: i32):
  %one = llvm.mlir.constant(1 : i32) : i32
  %next = llvm.sub %i, %one : i32
  cilk.spawn @small(%i) : (i32) -> ()
  %again = llvm.icmp "sgt" %next, %one : i32
  llvm.cond_br %again, ^loop(%next : i32), ^end
^end:
  cilk.sync
  llvm.return
}
