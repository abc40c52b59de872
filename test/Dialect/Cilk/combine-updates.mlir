// Tests the combining of x += cilk_spawn f(...): where every result joins the fold once, and where it does not.
// RUN: cilk-opt %s --cilk-combine-results --split-input-file | FileCheck %s

// What the variable starts with is a term of its own. It is added before the sync, so that nothing waits.
// CHECK-LABEL: llvm.func internal @sum.acc(
// CHECK-SAME: %[[N:.*]]: i32, %[[ACC:.*]]: !llvm.ptr)
// CHECK-NOT: llvm.alloca
// CHECK: cilk.spawn @sum.acc(%{{.*}}, %[[ACC]]) : (i32, !llvm.ptr) -> ()
// CHECK: llvm.atomicrmw add %[[ACC]], %[[N]] monotonic {cilk.accumulate}
// CHECK-NEXT: cilk.sync
// CHECK-NEXT: llvm.return
// CHECK-NOT: @sum.spawn0
llvm.func @sum(%n: i32) -> i32 attributes {cilk.task} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %n, %x : i32, !llvm.ptr
  %n1 = llvm.sub %n, %one : i32
  cilk.spawn @sum.spawn0(%n1, %x) : (i32, !llvm.ptr) -> ()
  cilk.sync
  %r = llvm.load %x : !llvm.ptr -> i32
  llvm.return %r : i32
}
llvm.func internal @sum.spawn0(%n: i32, %x: !llvm.ptr) attributes {cilk.task} {
  %r = cilk.call @sum(%n) : (i32) -> i32
  %old = llvm.atomicrmw add %x, %r monotonic {cilk.update} : !llvm.ptr, i32
  llvm.return
}

// -----

// The call may have been lowered before.
// CHECK-LABEL: llvm.func internal @lowered.acc(
// CHECK: cilk.spawn @lowered.acc(
llvm.func @lowered(%n: i32) -> i32 attributes {cilk.task} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %zero, %x : i32, !llvm.ptr
  cilk.spawn @lowered.spawn0(%x) : (!llvm.ptr) -> ()
  cilk.sync
  %r = llvm.load %x : !llvm.ptr -> i32
  llvm.return %r : i32
}
llvm.func internal @lowered.spawn0(%x: !llvm.ptr) attributes {cilk.task} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %slot = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  cilk.spawn @lowered(%one) into %slot : (i32) -> i32
  cilk.sync
  %r = llvm.load %slot : !llvm.ptr -> i32
  %old = llvm.atomicrmw add %x, %r monotonic {cilk.update} : !llvm.ptr, i32
  llvm.return
}

// -----

// The second round starts from what the first has left, and counts it once more.
// CHECK-LABEL: llvm.func @taken(
// CHECK-NOT: taken.acc
llvm.func @taken(%n: i32) -> i32 attributes {cilk.task} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %zero, %x : i32, !llvm.ptr
  cilk.spawn @taken.spawn0(%n, %x) : (i32, !llvm.ptr) -> ()
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i32
  cilk.spawn @taken.spawn0(%n, %x) : (i32, !llvm.ptr) -> ()
  cilk.sync
  %b = llvm.load %x : !llvm.ptr -> i32
  %r = llvm.add %a, %b : i32
  llvm.return %r : i32
}
llvm.func internal @taken.spawn0(%n: i32, %x: !llvm.ptr) attributes {cilk.task} {
  %r = cilk.call @taken(%n) : (i32) -> i32
  %old = llvm.atomicrmw add %x, %r monotonic {cilk.update} : !llvm.ptr, i32
  llvm.return
}

// -----

// A store behind the spawn forgets the result.
// CHECK-LABEL: llvm.func @forgotten(
// CHECK-NOT: forgotten.acc
llvm.func @forgotten(%n: i32) -> i32 attributes {cilk.task} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %n, %x : i32, !llvm.ptr
  cilk.spawn @forgotten.spawn0(%n, %x) : (i32, !llvm.ptr) -> ()
  cilk.sync
  llvm.store %one, %x : i32, !llvm.ptr
  %r = llvm.load %x : !llvm.ptr -> i32
  llvm.return %r : i32
}
llvm.func internal @forgotten.spawn0(%n: i32, %x: !llvm.ptr) attributes {cilk.task} {
  %r = cilk.call @forgotten(%n) : (i32) -> i32
  %old = llvm.atomicrmw add %x, %r monotonic {cilk.update} : !llvm.ptr, i32
  llvm.return
}

// -----

// A subtraction is no fold.
// CHECK-LABEL: llvm.func @less(
// CHECK-NOT: less.acc
llvm.func @less(%n: i32) -> i32 attributes {cilk.task} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %n, %x : i32, !llvm.ptr
  cilk.spawn @less.spawn0(%n, %x) : (i32, !llvm.ptr) -> ()
  cilk.sync
  %r = llvm.load %x : !llvm.ptr -> i32
  llvm.return %r : i32
}
llvm.func internal @less.spawn0(%n: i32, %x: !llvm.ptr) attributes {cilk.task} {
  %r = cilk.call @less(%n) : (i32) -> i32
  %old = llvm.atomicrmw sub %x, %r monotonic {cilk.update} : !llvm.ptr, i32
  llvm.return
}

// -----

// A task without a result adds into a variable that only it knows: the variable is the accumulator. A variable whose
// address another function knows is none.
// CHECK-LABEL: llvm.func @user(
// CHECK: cilk.spawn @part.acc(%{{.*}}, %[[OWN:.*]]) : (i32, !llvm.ptr) -> ()
// CHECK: cilk.spawn @user.spawn0(
llvm.func @user(%n: i32) attributes {cilk.task} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %n, %x : i32, !llvm.ptr
  cilk.spawn @user.spawn0(%n, %x) : (i32, !llvm.ptr) -> ()
  cilk.sync
  %y = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.call @show(%x, %y) : (!llvm.ptr, !llvm.ptr) -> ()
  cilk.spawn @user.spawn0(%n, %y) : (i32, !llvm.ptr) -> ()
  llvm.return
}
llvm.func @show(!llvm.ptr, !llvm.ptr)
llvm.func internal @user.spawn0(%n: i32, %x: !llvm.ptr) attributes {cilk.task} {
  %r = cilk.call @part(%n) : (i32) -> i32
  %old = llvm.atomicrmw add %x, %r monotonic {cilk.update} : !llvm.ptr, i32
  llvm.return
}
llvm.func @part(%n: i32) -> i32 attributes {cilk.task} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  cilk.spawn @part(%n) into %x : (i32) -> i32
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i32
  %r = llvm.add %a, %n : i32
  llvm.return %r : i32
}

// -----

// A task that only returns another task's result folds like that task, although its own value is computed by `xor`.
// CHECK-DAG: llvm.func internal @passes.acc({{.*}}cilk.accumulation_kind = 1
// CHECK-DAG: llvm.func internal @children.acc({{.*}}cilk.accumulation_kind = 1
llvm.func @passes(%n: i32) -> i32 attributes {cilk.task} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %small = llvm.icmp "slt" %n, %one : i32
  llvm.cond_br %small, ^leaf, ^more
^leaf:
  %own = llvm.xor %n, %one : i32
  llvm.br ^end(%own : i32)
^more:
  cilk.spawn @children(%n) into %x : (i32) -> i32
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i32
  llvm.br ^end(%a : i32)
^end(%r: i32):
  llvm.return %r : i32
}
llvm.func @children(%n: i32) -> i32 attributes {cilk.task} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %n1 = llvm.sub %n, %one : i32
  cilk.spawn @passes(%n1) into %x : (i32) -> i32
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i32
  %r = llvm.add %a, %n : i32
  llvm.return %r : i32
}

// -----

// A selection of a sum with and without a term.
// CHECK-LABEL: llvm.func internal @selected.acc(
// CHECK: llvm.select
// CHECK-NOT: llvm.load
llvm.func @selected(%n: i32, %c: i1) -> i32 attributes {cilk.task} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  cilk.spawn @selected(%n, %c) into %x : (i32, i1) -> i32
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i32
  %more = llvm.add %a, %n : i32
  %r = llvm.select %c, %more, %a : i1, i32
  llvm.return %r : i32
}
