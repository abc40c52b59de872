// Tests the notes on pointers in elements through which kernels load, with the offsets of the loads: one note for each
// of two cache lines. Loads in loops or with an index, stores, and frames get no notes.
// RUN: cilk-opt %s --channel-follow-pointers | FileCheck %s
channel.graph @g {
  channel.stack @f (!llvm.ptr, i64, !llvm.ptr, !llvm.ptr)
  channel.frame @f.frame of @f size 16 align 8 {fields = array<i64: 0, 8, 8, 8>}
  channel.stack @f.1 (!llvm.ptr) resumes @f
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [] publishes [@f.1]
  channel.kernel @f.k1 segment 1 of @f body @f.k1 consumes @f.1 spawns [] publishes []
  channel.depend @f.1 on [@f.1] drained below
}

// CHECK-LABEL: llvm.func @f.k0
llvm.func @f.k0() attributes {channel.kernel = @g::@f.k0} {
  // CHECK: channel.deq @g::@f {followed = array<i64: 0, 72, 0, 20>}
  %ce, %node, %n, %array, %dst = channel.deq @g::@f : !llvm.ptr, i64, !llvm.ptr, !llvm.ptr
  channel.tfree @g::@f %ce : !channel.element
  %frame = channel.talloc @g::@f.frame : !llvm.ptr
  %place = llvm.getelementptr %node[2] : (!llvm.ptr) -> !llvm.ptr, i64
  %a = llvm.load %place : !llvm.ptr -> i64
  %near = llvm.getelementptr %place[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, i64)>
  %b = llvm.load %near : !llvm.ptr -> i64
  %far = llvm.getelementptr %node[9] : (!llvm.ptr) -> !llvm.ptr, i64
  %c = llvm.load %far : !llvm.ptr -> i64
  %third = llvm.getelementptr %array[%n] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %d = llvm.load %third : !llvm.ptr -> i64
  llvm.store %d, %dst : i64, !llvm.ptr
  %post = channel.talloc @g::@f.1 : !channel.element
  channel.enq @g::@f.1 %post (%frame : !llvm.ptr)
  llvm.return {channel.hands_over}
}

// CHECK-LABEL: llvm.func @f.k1
llvm.func @f.k1() attributes {channel.kernel = @g::@f.k1} {
  // CHECK-NOT: followed
  %ce, %frame = channel.deq @g::@f.1 : !llvm.ptr
  channel.tfree @g::@f.1 %ce : !channel.element
  %a = llvm.load %frame : !llvm.ptr -> i64
  channel.tfree @g::@f.frame %frame : !llvm.ptr
  llvm.return
}
