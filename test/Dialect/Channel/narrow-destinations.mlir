// Tests the destinations that become offsets of 32 bits: destinations in frames wherever the task is spawned, or passed on by
// such a task. A task keeps 64 bits if a destination is elsewhere, is at an odd offset or is missing, or if the task is
// of another unit.
// RUN: cilk-opt %s --channel-narrow-destinations | FileCheck %s

// CHECK-LABEL: channel.graph @g
channel.graph @g {
  // CHECK: channel.stack @root (i32, !llvm.ptr) result 1 {linkage
  channel.stack @root (i32, !llvm.ptr) result 1 {linkage = #llvm.linkage<external>}
  // CHECK: channel.frame @root.frame of @root size 16 align 4
  channel.frame @root.frame of @root size 14 align 2
  channel.stack @root.1 (!llvm.ptr) resumes @root
  // CHECK: channel.stack @near (i32, i32) result 1 {linkage = #llvm.linkage<internal>}
  channel.stack @near (i32, !llvm.ptr) result 1 {linkage = #llvm.linkage<internal>}
  channel.frame @near.frame of @near size 1 align 1
  // CHECK: channel.stack @handed (i32, i32) result 1 {linkage = #llvm.linkage<internal>}
  channel.stack @handed (i32, !llvm.ptr) result 1 {linkage = #llvm.linkage<internal>}
  // CHECK-COUNT-5: channel.stack @{{heap|odd|none|read|seen}} (i32, !llvm.ptr) result 1 {linkage = #llvm.linkage<{{internal|external}}>}
  channel.stack @heap (i32, !llvm.ptr) result 1 {linkage = #llvm.linkage<internal>}
  channel.stack @odd (i32, !llvm.ptr) result 1 {linkage = #llvm.linkage<internal>}
  channel.stack @none (i32, !llvm.ptr) result 1 {linkage = #llvm.linkage<internal>}
  channel.stack @read (i32, !llvm.ptr) result 1 {linkage = #llvm.linkage<internal>}
  channel.stack @seen (i32, !llvm.ptr) result 1 {linkage = #llvm.linkage<external>}
  channel.kernel @root.k0 segment 0 of @root body @root.k0 consumes @root spawns [@near, @heap, @odd, @none, @read, @seen] publishes [@root.1]
  channel.kernel @root.k1 segment 1 of @root body @root.k1 consumes @root.1 spawns [] publishes []
  channel.kernel @near.k0 segment 0 of @near body @near.k0 consumes @near spawns [@handed] publishes []
  channel.kernel @handed.k0 segment 0 of @handed body @handed.k0 consumes @handed spawns [] publishes []
  channel.kernel @heap.k0 segment 0 of @heap body @heap.k0 consumes @heap spawns [] publishes []
  channel.kernel @odd.k0 segment 0 of @odd body @odd.k0 consumes @odd spawns [] publishes []
  channel.kernel @none.k0 segment 0 of @none body @none.k0 consumes @none spawns [] publishes []
  channel.kernel @read.k0 segment 0 of @read body @read.k0 consumes @read spawns [] publishes []
  channel.kernel @seen.k0 segment 0 of @seen body @seen.k0 consumes @seen spawns [] publishes []
  channel.depend @root.1 on [@near, @heap, @odd, @none, @read, @seen, @handed] drained below
}
llvm.func @malloc(i64) -> !llvm.ptr

// CHECK-LABEL: llvm.func @root.k0
llvm.func @root.k0() attributes {channel.kernel = @g::@root.k0} {
  %ce, %n, %dst = channel.deq @g::@root : i32, !llvm.ptr
  channel.tfree @g::@root %ce : !channel.element
  // CHECK: %[[FRAME:.*]] = channel.talloc @g::@root.frame
  %frame = channel.talloc @g::@root.frame : !llvm.ptr
  %size = llvm.mlir.constant(8 : i64) : i64
  %memory = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  %null = llvm.mlir.zero : !llvm.ptr
  // CHECK: %[[PLACE:.*]] = llvm.getelementptr %[[FRAME]][8]
  %place = llvm.getelementptr %frame[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %element = llvm.getelementptr %frame[%n] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %byte = llvm.getelementptr %frame[%n] : (!llvm.ptr, i32) -> !llvm.ptr, i8
  // CHECK: %[[OFFSET:.*]] = channel.offset %[[PLACE]] : i32
  // CHECK-NEXT: channel.enq @g::@near %{{.*}}(%{{.*}}, %[[OFFSET]] : i32, i32)
  %e0 = channel.talloc @g::@near : !channel.element
  channel.enq @g::@near %e0 (%n, %place : i32, !llvm.ptr)
  // CHECK: channel.offset
  // CHECK-NEXT: channel.enq @g::@near
  %e1 = channel.talloc @g::@near : !channel.element
  channel.enq @g::@near %e1 (%n, %element : i32, !llvm.ptr)
  // CHECK-NOT: channel.offset
  %e2 = channel.talloc @g::@heap : !channel.element
  channel.enq @g::@heap %e2 (%n, %frame : i32, !llvm.ptr)
  %e3 = channel.talloc @g::@heap : !channel.element
  channel.enq @g::@heap %e3 (%n, %memory : i32, !llvm.ptr)
  %e4 = channel.talloc @g::@odd : !channel.element
  channel.enq @g::@odd %e4 (%n, %byte : i32, !llvm.ptr)
  %e5 = channel.talloc @g::@none : !channel.element
  channel.enq @g::@none %e5 (%n, %null : i32, !llvm.ptr)
  %e6 = channel.talloc @g::@read : !channel.element
  channel.enq @g::@read %e6 (%n, %frame : i32, !llvm.ptr)
  %e7 = channel.talloc @g::@seen : !channel.element
  channel.enq @g::@seen %e7 (%n, %frame : i32, !llvm.ptr)
  %post = channel.talloc @g::@root.1 : !channel.element
  channel.enq @g::@root.1 %post (%frame : !llvm.ptr)
  llvm.return {channel.hands_over}
}
llvm.func @root.k1() attributes {channel.kernel = @g::@root.k1} {
  %ce, %frame = channel.deq @g::@root.1 : !llvm.ptr
  channel.tfree @g::@root.1 %ce : !channel.element
  channel.tfree @g::@root.frame %frame : !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @near.k0
llvm.func @near.k0() attributes {channel.kernel = @g::@near.k0} {
  // CHECK: %{{.*}}, %[[F:.*]]:2 = channel.deq @g::@near : i32, i32
  // CHECK: channel.enq @g::@handed %{{.*}}(%[[F]]#0, %[[F]]#1 : i32, i32)
  %ce, %n, %dst = channel.deq @g::@near : i32, !llvm.ptr
  channel.tfree @g::@near %ce : !channel.element
  %e = channel.talloc @g::@handed : !channel.element
  channel.enq @g::@handed %e (%n, %dst : i32, !llvm.ptr)
  llvm.return
}

// CHECK-LABEL: llvm.func @handed.k0
llvm.func @handed.k0() attributes {channel.kernel = @g::@handed.k0} {
  // CHECK: %{{.*}}, %[[F:.*]]:2 = channel.deq @g::@handed : i32, i32
  // CHECK: %[[A:.*]] = channel.address %[[F]]#1 : !llvm.ptr
  // CHECK: channel.result %[[F]]#0 to %[[A]] : i32
  %ce, %n, %dst = channel.deq @g::@handed : i32, !llvm.ptr
  channel.tfree @g::@handed %ce : !channel.element
  channel.result %n to %dst : i32
  llvm.return
}
llvm.func @heap.k0() attributes {channel.kernel = @g::@heap.k0} {
  %ce, %n, %dst = channel.deq @g::@heap : i32, !llvm.ptr
  channel.tfree @g::@heap %ce : !channel.element
  channel.result %n to %dst : i32
  llvm.return
}
llvm.func @odd.k0() attributes {channel.kernel = @g::@odd.k0} {
  %ce, %n, %dst = channel.deq @g::@odd : i32, !llvm.ptr
  channel.tfree @g::@odd %ce : !channel.element
  channel.result %n to %dst : i32
  llvm.return
}
llvm.func @none.k0() attributes {channel.kernel = @g::@none.k0} {
  %ce, %n, %dst = channel.deq @g::@none : i32, !llvm.ptr
  channel.tfree @g::@none %ce : !channel.element
  channel.result %n to %dst : i32
  llvm.return
}
llvm.func @read.k0() attributes {channel.kernel = @g::@read.k0} {
  %ce, %n, %dst = channel.deq @g::@read : i32, !llvm.ptr
  channel.tfree @g::@read %ce : !channel.element
  %old = llvm.load %dst : !llvm.ptr -> i32
  channel.result %old to %dst : i32
  llvm.return
}
llvm.func @seen.k0() attributes {channel.kernel = @g::@seen.k0} {
  %ce, %n, %dst = channel.deq @g::@seen : i32, !llvm.ptr
  channel.tfree @g::@seen %ce : !channel.element
  channel.result %n to %dst : i32
  llvm.return
}

// CHECK-LABEL: llvm.func @call
llvm.func @call(%n: i32) -> i32 {
  // CHECK: %[[SLOT:.*]] = channel.slot 4 : !llvm.ptr
  // CHECK: %[[O:.*]] = channel.offset %[[SLOT]] : i32
  // CHECK: channel.root @g::@near(%{{.*}}, %[[O]] : i32, i32)
  // CHECK: llvm.load %[[SLOT]]
  // CHECK: channel.free_slot %[[SLOT]] size 4
  %one = llvm.mlir.constant(1 : i32) : i32
  %local = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  channel.root @g::@near (%n, %local : i32, !llvm.ptr)
  channel.execute
  %result = llvm.load %local : !llvm.ptr -> i32
  llvm.return %result : i32
}
