// Tests the split at syncs: kernels, frames, stacks, dependencies and entries.
// RUN: cilk-opt %s --convert-cilk-to-channel --mem2reg --canonicalize --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: channel.graph @cilk {
// CHECK-DAG: channel.kernel @fib.k0 segment 0 of @fib body @fib.k0 consumes @fib spawns [@fib] publishes [@fib.1]
// CHECK-DAG: channel.kernel @fib.k1 segment 1 of @fib body @fib.k1 consumes @fib.1 spawns [] publishes []
// CHECK-DAG: channel.stack @fib (i32, !llvm.ptr) result 1 {linkage = #llvm.linkage<external>}
// CHECK-DAG: channel.frame @fib.frame of @fib
// CHECK-DAG: channel.stack @fib.1 (!llvm.ptr) resumes @fib
// CHECK-DAG: channel.depend @fib.1 on [@fib, @fib.1] drained below

// The base case takes no frame.
// CHECK-LABEL: llvm.func internal @fib.k0()
// CHECK: %[[CE:.*]], %[[F:.*]]:2 = channel.deq @cilk::@fib : i32, !llvm.ptr
// CHECK-NEXT: channel.tfree @cilk::@fib %[[CE]]
// CHECK: llvm.cond_br %{{.*}}, ^[[BASE:bb[0-9]+]]{{.*}}, ^[[REC:bb[0-9]+]]
// CHECK: ^[[REC]]:
// CHECK: %[[FRAME:.*]] = channel.talloc @cilk::@fib.frame
// CHECK: %[[A:.*]] = channel.talloc @cilk::@fib : !channel.element
// CHECK: channel.enq @cilk::@fib %[[A]](%{{.*}}, %[[FRAME]] : i32, !llvm.ptr)
// The result's destination lives across the sync.
// CHECK: llvm.store %[[F]]#1, %{{.*}} : !llvm.ptr, !llvm.ptr
// CHECK: %[[S:.*]] = channel.talloc @cilk::@fib.1 : !channel.element
// CHECK-NEXT: channel.enq @cilk::@fib.1 %[[S]](%[[FRAME]] : !llvm.ptr)
// CHECK-NEXT: llvm.return
// CHECK: ^[[BASE]]
// CHECK-NOT: channel.tfree
// CHECK: channel.result %{{.*}} to %[[F]]#1 : i32
// CHECK-NEXT: llvm.return

// CHECK-LABEL: llvm.func internal @fib.k1()
// CHECK: channel.deq @cilk::@fib.1 : !llvm.ptr
// CHECK: channel.result
// CHECK-NEXT: channel.tfree @cilk::@fib.frame
// CHECK-NEXT: llvm.return

// CHECK-LABEL: llvm.func @fib(
// CHECK: channel.serial
// CHECK: llvm.call @fib.serial
// CHECK: channel.root @cilk::@fib
// CHECK-NEXT: channel.execute
llvm.func @fib(%n: i32) -> i32 attributes {cilk.task, cilk.elision = @fib.serial} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %base = llvm.icmp "slt" %n, %one : i32
  llvm.cond_br %base, ^ret(%n : i32), ^rec
^rec:
  %a = llvm.sub %n, %one : i32
  cilk.spawn @fib(%a) into %x : (i32) -> i32
  cilk.sync
  %xv = llvm.load %x : !llvm.ptr -> i32
  llvm.br ^ret(%xv : i32)
^ret(%r: i32):
  llvm.return %r : i32
}
llvm.func @fib.serial(i32) -> i32

// -----

// A continuation that does nothing makes no kernel. The frame is freed before it, and exists only for yields.
// CHECK-LABEL: channel.graph @cilk {
// CHECK: channel.kernel @idle.k0 {{.*}} publishes []
// CHECK-NOT: channel.kernel
// CHECK: channel.frame @idle.frame of @idle size 0 align 1
// CHECK-LABEL: llvm.func internal @idle.k0()
// CHECK: channel.enq
// CHECK: channel.tfree @cilk::@idle.frame
// CHECK-NEXT: llvm.return
llvm.func @idle(%n: i32) attributes {cilk.task, cilk.elision = @idle.serial} {
  cilk.spawn @idle(%n) : (i32) -> ()
  cilk.sync
  llvm.return
}
llvm.func @idle.serial(i32)

// -----

// ... unless a child holds a pointer into the frame: the frame must live until the child is done.
// CHECK-LABEL: channel.graph @cilk {
// CHECK: channel.kernel @pointed.k0
// CHECK: channel.kernel @pointed.k1
// CHECK-LABEL: llvm.func internal @pointed.k1()
// CHECK: channel.tfree @cilk::@pointed.frame
llvm.func @pointed(%p: !llvm.ptr) attributes {cilk.task, cilk.elision = @pointed.serial} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  cilk.spawn @pointed(%x) : (!llvm.ptr) -> ()
  cilk.sync
  llvm.return
}
llvm.func @pointed.serial(!llvm.ptr)

// -----

// A sync in a loop: one continuation, which publishes to itself.
// CHECK-LABEL: channel.graph @cilk {
// CHECK-DAG: channel.kernel @loop.k0 {{.*}} spawns [@leaf] publishes [@loop.1]
// CHECK-DAG: channel.kernel @loop.k1 {{.*}} spawns [@leaf] publishes [@loop.1]
// An ordinary function's task is weak: a Cilk function of that name, compiled elsewhere, replaces it.
// CHECK-DAG: channel.stack @leaf (i64) {linkage = #llvm.linkage<weak>}
// CHECK-DAG: channel.kernel @leaf.k0 segment 0 of @leaf body @leaf.k0 consumes @leaf spawns [] publishes []
// CHECK-DAG: channel.depend @loop.1 on [@leaf] drained below
llvm.func @loop(%n: i64) attributes {cilk.task, cilk.elision = @loop.serial} {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^head(%zero : i64)
^head(%i: i64):
  %more = llvm.icmp "slt" %i, %n : i64
  llvm.cond_br %more, ^body, ^exit
^body:
  cilk.spawn @leaf.task(%i) : (i64) -> ()
  cilk.sync
  %next = llvm.add %i, %one : i64
  llvm.br ^head(%next : i64)
^exit:
  llvm.return
}
llvm.func @loop.serial(i64)
llvm.func @leaf(i64)
llvm.func internal @leaf.task(%i: i64) attributes {cilk.wraps = @leaf, cilk.task} {
  llvm.call @leaf(%i) : (i64) -> ()
  llvm.return
}

// -----

// By-value aggregates travel in the element. The callee has its own copy.
// CHECK-LABEL: channel.graph @cilk {
// CHECK: channel.stack @by_value (!llvm.struct<(i64, i64)>)
// CHECK-LABEL: llvm.func internal @by_value.k0()
// CHECK: %[[CE:.*]], %[[S:.*]] = channel.deq @cilk::@by_value : !llvm.ptr
// CHECK: "llvm.intr.memcpy"(%{{.*}}, %[[S]]
// CHECK-NEXT: channel.tfree @cilk::@by_value %[[CE]]
// The call of the elision passes the aggregate as the elision takes it.
// CHECK-LABEL: llvm.func internal @by_value.elided()
// CHECK: channel.deq @cilk::@by_value : !llvm.ptr
// CHECK-NEXT: llvm.call @by_value.serial(%{{.*}}) {no_inline} : (!llvm.ptr {llvm.byval = !llvm.struct<(i64, i64)>}) -> ()
llvm.func @use(!llvm.ptr)
llvm.func @by_value(%s: !llvm.ptr {llvm.byval = !llvm.struct<(i64, i64)>}) attributes {cilk.task, cilk.elision = @by_value.serial} {
  llvm.call @use(%s) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @by_value.serial(!llvm.ptr {llvm.byval = !llvm.struct<(i64, i64)>})

// -----

// main is not split. Its spawns enqueue roots, or run the elision where no graph can run.
// CHECK-LABEL: llvm.func @main()
// CHECK: %[[SERIAL:.*]] = channel.serial
// CHECK: llvm.cond_br %[[SERIAL]]
// CHECK-DAG: llvm.call @task.serial()
// CHECK-DAG: channel.root @cilk::@task
// CHECK: channel.execute
llvm.func @main() {
  cilk.spawn @task() : () -> ()
  cilk.sync
  llvm.return
}
llvm.func @task() attributes {cilk.task, cilk.elision = @task.serial} {
  llvm.return
}
llvm.func @task.serial()

// -----

// A frame keeps its fields from one kernel to the next. The first kernel stores %p, the second one only reads it, and
// stores %sum, which it has changed.
// CHECK-LABEL: llvm.func internal @twice.k0()
// CHECK: llvm.store %fields#0,
// CHECK-LABEL: llvm.func internal @twice.k1()
// CHECK: %[[P:.*]] = llvm.load %{{.*}} {channel.restores} : !llvm.ptr -> !llvm.ptr
// CHECK: %[[SUM:.*]] = llvm.add
// CHECK: channel.enq @cilk::@task
// CHECK-NOT: llvm.store
// CHECK: llvm.store %[[SUM]],
// CHECK-NOT: llvm.store
// CHECK: channel.enq @cilk::@twice.2
llvm.func @twice(%p: !llvm.ptr, %n: i64) attributes {cilk.task} {
  cilk.spawn @task(%n) : (i64) -> ()
  cilk.sync
  %m = llvm.load %p : !llvm.ptr -> i64
  %sum = llvm.add %m, %n : i64
  cilk.spawn @task(%sum) : (i64) -> ()
  cilk.sync
  llvm.store %sum, %p : i64, !llvm.ptr
  llvm.return
}
llvm.func @task(%n: i64) attributes {cilk.task} {
  llvm.return
}

// -----

llvm.func @vla(%n: i64) attributes {cilk.task, cilk.elision = @vla.serial} {
  // expected-error@+1 {{a Cilk function's local variables have a fixed size, found a variable-length array or alloca}}
  %x = llvm.alloca %n x i32 : (i64) -> !llvm.ptr
  llvm.return
}
llvm.func @vla.serial(i64)

// -----

llvm.func @plain(i32) -> i32
llvm.func @spawnsPlain(%n: i32, %x: !llvm.ptr) attributes {cilk.task} {
  // expected-error@+1 {{a spawn must be of a task, but @plain is none; run cilk-wrap-ordinary-callees before this conversion}}
  cilk.spawn @plain(%n) into %x : (i32) -> i32
  cilk.sync
  llvm.return
}

// -----

// expected-error@+1 {{a task's elision must be a function, but there is no @nowhere; define it}}
llvm.func @noElision(%n: i32) attributes {cilk.task, cilk.elision = @nowhere} {
  cilk.sync
  llvm.return
}

// -----

// expected-error@+1 {{a task's elision must be a function, but there is no @nowhere; define it}}
llvm.func @wrapsNothing(%n: i32) attributes {cilk.task, cilk.wraps = @nowhere} {
  llvm.return
}

// -----

llvm.func @other(i32, i32)
// expected-error@+1 {{a task's elision must have the task's first parameters and its result, but @other has type '!llvm.func<void (i32, i32)>' and the task '!llvm.func<void (i32)>'; name another function}}
llvm.func @fewParameters(%n: i32) attributes {cilk.task, cilk.elision = @other} {
  llvm.return
}

// -----

llvm.func @other(i32) -> i64
// expected-error@+1 {{a task's elision must have the task's first parameters and its result, but @other has type '!llvm.func<i64 (i32)>' and the task '!llvm.func<i32 (i32)>'; name another function}}
llvm.func @otherResult(%n: i32) -> i32 attributes {cilk.task, cilk.wraps = @other} {
  llvm.return %n : i32
}

// -----

// expected-error@+1 {{a task with 'cilk.accumulation_kind' returns nothing, and its last parameter is the accumulator's address, but it has type '!llvm.func<void (i32)>'; add this parameter}}
llvm.func @noAccumulator(%n: i32) attributes {cilk.task, cilk.accumulation_kind = 1} {
  llvm.return
}

// -----

llvm.func @serial(i32) -> i32
// expected-error@+1 {{a task with 'cilk.accumulated_elision' says how it accumulates, but it has no 'cilk.accumulation_kind'; add it}}
llvm.func @noKind(%n: i32, %to: !llvm.ptr) attributes {cilk.task, cilk.accumulated_elision = @serial} {
  llvm.return
}

// -----

llvm.func @bare() attributes {cilk.task} {
  llvm.return
}
llvm.func @host() {
  // expected-error@+1 {{a task that an ordinary function spawns must have an elision, but @bare has none; run cilk-create-elisions before this conversion}}
  cilk.spawn @bare() : () -> ()
  llvm.return
}

// -----

// expected-error@+1 {{a task is defined where it is split, but @elsewhere is only declared; define it}}
llvm.func @elsewhere() attributes {cilk.task}
