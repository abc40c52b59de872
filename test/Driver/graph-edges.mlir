// Tests that an edited dependency and an edited policy of a graph change the order in which tasks run, on the CPU's lanes
// and on the modelled machine, and that CILK2GPU_POLICY overrides the graph's policy.
//
// @main starts @a and a chain of three links. @a spawns @b and goes on after its sync. Its dependency covers @b only, so
// under the policy "dataflow" it goes on although links of the chain are left.
// RUN: cilk2gpu %s -o %t
// RUN: env CILK2GPU_WORKERS=1 %t | FileCheck %s --check-prefix=EARLY
// RUN: env CILK2GPU_DEVICE=model %t | FileCheck %s --check-prefix=EARLY
// RUN: env CILK2GPU_WORKERS=1 CILK2GPU_POLICY=levelized %t | FileCheck %s --check-prefix=LATE
// RUN: env CILK2GPU_DEVICE=model CILK2GPU_POLICY=levelized %t | FileCheck %s --check-prefix=LATE
//
// Edit the dependency: @a waits for the chain, too.
// RUN: sed 's/depend @a.1 on \[@b\]/depend @a.1 on [@b, @link]/' %s > %t.dependency.mlir
// RUN: cilk2gpu %t.dependency.mlir -o %t.dependency
// RUN: env CILK2GPU_WORKERS=1 %t.dependency | FileCheck %s --check-prefix=LATE
// RUN: env CILK2GPU_DEVICE=model %t.dependency | FileCheck %s --check-prefix=LATE
//
// Edit the policy.
// RUN: sed 's/policy "dataflow"/policy "levelized"/' %s > %t.policy.mlir
// RUN: cilk2gpu %t.policy.mlir -o %t.policy
// RUN: env CILK2GPU_WORKERS=1 %t.policy | FileCheck %s --check-prefix=LATE
// RUN: env CILK2GPU_WORKERS=1 CILK2GPU_POLICY=dataflow %t.policy | FileCheck %s --check-prefix=EARLY
//
// A policy that nobody has, and one that does not apply.
// RUN: sed 's/policy "dataflow"/policy "sideways"/' %s > %t.unknown.mlir
// RUN: cilk2gpu %t.unknown.mlir -o %t.unknown
// RUN: not %t.unknown 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: asks for the policy 'sideways', which this runtime does not have; it has: adaptive, levelized
// RUN: sed 's/policy "dataflow"/policy "counted"/' %s > %t.counted.mlir
// RUN: cilk2gpu %t.counted.mlir -o %t.counted
// RUN: not %t.counted 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: policy=counted does not apply to CILK2GPU_DEVICE=native
//
// EARLY: b runs
// EARLY-NEXT: a goes on
// EARLY-NEXT: link 0
// EARLY-NEXT: done
// LATE: b runs
// LATE-NEXT: link 0
// LATE-NEXT: a goes on
// LATE-NEXT: done

channel.graph @g policy "dataflow" {
  channel.stack @a () {linkage = #llvm.linkage<external>}
  channel.frame @a.frame of @a size 8 align 8
  channel.stack @a.1 (!llvm.ptr) resumes @a
  channel.kernel @a.k0 segment 0 of @a body @a.k0 consumes @a spawns [@b] publishes [@a.1]
  channel.kernel @a.k1 segment 1 of @a body @a.k1 consumes @a.1 spawns [] publishes []
  channel.depend @a.1 on [@b] drained below
  channel.stack @b () {linkage = #llvm.linkage<external>}
  channel.kernel @b.k0 segment 0 of @b body @b.k0 consumes @b spawns [] publishes []
  channel.stack @link (i32) {linkage = #llvm.linkage<external>}
  channel.frame @link.frame of @link size 8 align 8
  channel.kernel @link.k0 segment 0 of @link body @link.k0 consumes @link spawns [@link] publishes []
}

llvm.mlir.global internal constant @b.text("b runs\00") {addr_space = 0 : i32}
llvm.mlir.global internal constant @a.text("a goes on\00") {addr_space = 0 : i32}
llvm.mlir.global internal constant @link.text("link 0\00") {addr_space = 0 : i32}
llvm.mlir.global internal constant @done.text("done\00") {addr_space = 0 : i32}
llvm.func @puts(!llvm.ptr) -> i32

llvm.func internal @a.k0() attributes {channel.kernel = @g::@a.k0} {
  %in = channel.deq @g::@a
  channel.tfree @g::@a %in : !channel.element
  %frame = channel.talloc @g::@a.frame : !llvm.ptr
  %child = channel.talloc @g::@b : !channel.element
  channel.enq @g::@b %child
  %after = channel.talloc @g::@a.1 : !channel.element
  channel.enq @g::@a.1 %after (%frame : !llvm.ptr)
  llvm.return {channel.hands_over}
}
llvm.func internal @a.k1() attributes {channel.kernel = @g::@a.k1} {
  %in, %frame = channel.deq @g::@a.1 : !llvm.ptr
  channel.tfree @g::@a.1 %in : !channel.element
  %text = llvm.mlir.addressof @a.text : !llvm.ptr
  %put = llvm.call @puts(%text) : (!llvm.ptr) -> i32
  channel.tfree @g::@a.frame %frame : !llvm.ptr
  llvm.return
}
llvm.func internal @b.k0() attributes {channel.kernel = @g::@b.k0} {
  %in = channel.deq @g::@b
  channel.tfree @g::@b %in : !channel.element
  %text = llvm.mlir.addressof @b.text : !llvm.ptr
  %put = llvm.call @puts(%text) : (!llvm.ptr) -> i32
  llvm.return
}
llvm.func internal @link.k0() attributes {channel.kernel = @g::@link.k0} {
  %in, %n = channel.deq @g::@link : i32
  channel.tfree @g::@link %in : !channel.element
  %frame = channel.talloc @g::@link.frame : !llvm.ptr
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %last = llvm.icmp "eq" %n, %zero : i32
  llvm.cond_br %last, ^print, ^spawn
^print:
  %text = llvm.mlir.addressof @link.text : !llvm.ptr
  %put = llvm.call @puts(%text) : (!llvm.ptr) -> i32
  llvm.br ^end
^spawn:
  %m = llvm.sub %n, %one : i32
  %child = channel.talloc @g::@link : !channel.element
  channel.enq @g::@link %child (%m : i32)
  llvm.br ^end
^end:
  channel.tfree @g::@link.frame %frame : !llvm.ptr
  llvm.return
}

llvm.func @main() -> i32 {
  %three = llvm.mlir.constant(3 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  channel.root @g::@a
  channel.root @g::@link (%three : i32)
  channel.execute
  %text = llvm.mlir.addressof @done.text : !llvm.ptr
  %put = llvm.call @puts(%text) : (!llvm.ptr) -> i32
  llvm.return %zero : i32
}
