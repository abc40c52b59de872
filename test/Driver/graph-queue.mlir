// Tests a graph with queues from the IR to the run: on the CPU's lanes, on the modelled machine under each of its
// policies, and as GPUs run it. A tree of tasks hands each of its nodes to @work, whose consumer hands it on to @sum. The
// width of a queue bounds all levels together, so a narrow queue makes lanes wait.
// DEFINE: %{model} = env CILK2GPU_DEVICE=model
// RUN: cilk2gpu %s -o %t
// RUN: %t | FileCheck %s
// RUN: env CILK2GPU_WORKERS=1 CILK2GPU_STATS=%t.json %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=NARROW --input-file %t.json
// RUN: env CILK2GPU_WORKERS=3 CILK2GPU_SCHEDULE=random %t | FileCheck %s
// RUN: %{model} %t | FileCheck %s
// RUN: %{model} CILK2GPU_POLICY=hybrid %t | FileCheck %s
// RUN: %{model} CILK2GPU_POLICY=counted %t | FileCheck %s
// RUN: %{model} CILK2GPU_SCHEDULE=random CILK2GPU_SEED=5 CILK2GPU_CUS=3 %t | FileCheck %s
// RUN: %{model} CILK2GPU_SCHEDULE=adversarial CILK2GPU_SEED=5 %t | FileCheck %s
//
// CILK2GPU_WIDTH is about stacks.
// RUN: env CILK2GPU_WIDTH=1 %t | FileCheck %s
// RUN: %{model} CILK2GPU_WIDTH=1 CILK2GPU_POLICY=hybrid %t | FileCheck %s
//
// Wide queues: nobody waits.
// RUN: sed 's/width 2/width 1000/' %s > %t.wide.mlir
// RUN: cilk2gpu %t.wide.mlir -o %t.wide
// RUN: env CILK2GPU_WORKERS=1 CILK2GPU_STATS=%t.wide.json %t.wide | FileCheck %s
// RUN: FileCheck %s --check-prefix=WIDE --input-file %t.wide.json
//
// The stack's width, a hint, makes lanes wait, too, unless CILK2GPU_WIDTH says otherwise.
// RUN: sed 's/width 2/width 1000/; s/@tree (i32)/@tree (i32) width 1/' %s > %t.hint.mlir
// RUN: cilk2gpu %t.hint.mlir -o %t.hint
// RUN: env CILK2GPU_WORKERS=1 CILK2GPU_STATS=%t.hint.json %t.hint | FileCheck %s
// RUN: FileCheck %s --check-prefix=NARROW --input-file %t.hint.json
// RUN: env CILK2GPU_WORKERS=1 CILK2GPU_WIDTH=1000 CILK2GPU_STATS=%t.hint.json %t.hint | FileCheck %s
// RUN: FileCheck %s --check-prefix=WIDE --input-file %t.hint.json
//
// CHECK: sum 120
// NARROW: "yields": {"value": {{[1-9]}}
// WIDE: "yields": {"value": 0,

channel.graph @g {
  channel.stack @tree (i32) {linkage = #llvm.linkage<external>}
  channel.frame @tree.frame of @tree size 8 align 8
  channel.kernel @tree.k0 segment 0 of @tree body @tree.k0 consumes @tree spawns [@tree, @work] publishes []
  channel.queue @work (i32) width 2
  channel.frame @work.frame of @work size 8 align 8
  channel.kernel @work.k0 segment 0 of @work body @work.k0 consumes @work spawns [@sum] publishes []
  channel.queue @sum (i32) width 2
  channel.kernel @sum.k0 segment 0 of @sum body @sum.k0 consumes @sum spawns [] publishes []
}

llvm.mlir.global internal @total(0 : i32) : i32
llvm.mlir.global internal constant @format("sum %d\0A\00") {addr_space = 0 : i32}
llvm.func @printf(!llvm.ptr, ...) -> i32

llvm.func internal @tree.k0() attributes {channel.kernel = @g::@tree.k0} {
  %in, %n = channel.deq @g::@tree : i32
  channel.tfree @g::@tree %in : !channel.element
  %frame = channel.talloc @g::@tree.frame : !llvm.ptr
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %leaf = llvm.icmp "eq" %n, %zero : i32
  llvm.cond_br %leaf, ^end, ^spawn
^spawn:
  %m = llvm.sub %n, %one : i32
  %left = channel.talloc @g::@tree : !channel.element
  channel.enq @g::@tree %left (%m : i32)
  %job = channel.talloc @g::@work : !channel.element
  channel.enq @g::@work %job (%n : i32)
  %right = channel.talloc @g::@tree : !channel.element
  channel.enq @g::@tree %right (%m : i32)
  llvm.br ^end
^end:
  channel.tfree @g::@tree.frame %frame : !llvm.ptr
  llvm.return
}
llvm.func internal @work.k0() attributes {channel.kernel = @g::@work.k0} {
  %in, %n = channel.deq @g::@work : i32
  channel.tfree @g::@work %in : !channel.element
  %frame = channel.talloc @g::@work.frame : !llvm.ptr
  %job = channel.talloc @g::@sum : !channel.element
  channel.enq @g::@sum %job (%n : i32)
  channel.tfree @g::@work.frame %frame : !llvm.ptr
  llvm.return
}
llvm.func internal @sum.k0() attributes {channel.kernel = @g::@sum.k0} {
  %in, %n = channel.deq @g::@sum : i32
  channel.tfree @g::@sum %in : !channel.element
  %at = llvm.mlir.addressof @total : !llvm.ptr
  %old = llvm.atomicrmw add %at, %n monotonic : !llvm.ptr, i32
  llvm.return
}

llvm.func @main() -> i32 {
  %six = llvm.mlir.constant(6 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  channel.root @g::@tree (%six : i32)
  channel.execute
  %at = llvm.mlir.addressof @total : !llvm.ptr
  %sum = llvm.load %at : !llvm.ptr -> i32
  %text = llvm.mlir.addressof @format : !llvm.ptr
  %put = llvm.call @printf(%text, %sum) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
  llvm.return %zero : i32
}
