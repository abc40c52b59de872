// Tests that aggregates that are passed by value get a column for each of their scalars.
// RUN: cilk-opt %s --channel-split-fields --canonicalize --split-input-file | FileCheck %s
// RUN: cilk-opt %s --channel-split-fields --split-input-file | FileCheck %s --check-prefix=ADDRESSES
// Addresses in local variables are not addresses in frames, whose fields may move into columns.
// ADDRESSES-NOT: frame_offset

// Eight bytes in a register: the consumer stores them one by one, producers load them one by one, right before the spawn.
// CHECK-LABEL: channel.graph @g
// CHECK: channel.stack @f (i32, i8, i8, i8, i8, i8, i8, i8, i8)
channel.graph @g {
  channel.stack @f (i32, i64) {linkage = #llvm.linkage<internal>}
  channel.frame @f.frame of @f size 8 align 8
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [@f] publishes []
}

// CHECK-LABEL: llvm.func @f.k0
// CHECK: %[[BOARD:.*]] = llvm.alloca
// CHECK: channel.deq @g::@f : i32, i8, i8, i8, i8, i8, i8, i8, i8
// CHECK-COUNT-8: llvm.store %{{.*}}, %{{.*}} {alignment = 1 : i64} : i8
// CHECK-NOT: llvm.load {{.*}} -> i64
// CHECK: channel.talloc
// CHECK: llvm.load %[[BOARD]] {alignment = 1 : i64} : !llvm.ptr -> i8
// CHECK: channel.enq @g::@f %{{.*}}({{.*}} : i32, i8, i8, i8, i8, i8, i8, i8, i8)
llvm.func @f.k0() attributes {channel.kernel = @g::@f.k0} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %byte = llvm.mlir.constant(7 : i8) : i8
  %board = llvm.alloca %one x !llvm.struct<"Board", (array<8 x i8>)> : (i32) -> !llvm.ptr
  %e, %n, %packed = channel.deq @g::@f : i32, i64
  channel.tfree @g::@f %e : !channel.element
  llvm.store %packed, %board : i64, !llvm.ptr
  %square = llvm.getelementptr %board[0, %n] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<8 x i8>
  llvm.store %byte, %square : i8, !llvm.ptr
  %whole = llvm.load %board : !llvm.ptr -> i64
  %ce = channel.talloc @g::@f : !channel.element
  channel.enq @g::@f %ce (%n, %whole : i32, i64)
  llvm.return
}

// The host has the aggregate in a register.
// CHECK-LABEL: llvm.func @root
// CHECK: %[[LOW:.*]] = llvm.trunc %arg0 : i64 to i8
// CHECK: llvm.lshr %arg0
// CHECK: channel.root @g::@f(%arg1, {{.*}} : i32, i8, i8, i8, i8, i8, i8, i8, i8)
llvm.func @root(%board: i64, %n: i32) {
  channel.root @g::@f (%n, %board : i32, i64)
  llvm.return
}

// -----

// In memory: scalars of several sizes, and the bytes between them, which a union may use.
// CHECK-LABEL: channel.graph @g
// CHECK: channel.stack @f (i8, i8, i8, i8, i32, i64, i16, i8, i8, i8, i8, i8, i8)
channel.graph @g {
  channel.stack @f (!llvm.struct<(i8, i32, f64, i16)>) {linkage = #llvm.linkage<internal>}
  channel.frame @f.frame of @f size 8 align 8
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [@f] publishes []
}

// CHECK-LABEL: llvm.func @f.k0
// CHECK: channel.deq @g::@f : i8, i8, i8, i8, i32, i64, i16, i8, i8, i8, i8, i8, i8
// CHECK-NOT: memcpy
llvm.func @f.k0() attributes {channel.kernel = @g::@f.k0} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %size = llvm.mlir.constant(24 : i64) : i64
  %mine = llvm.alloca %one x !llvm.struct<(i8, i32, f64, i16)> : (i32) -> !llvm.ptr
  %e, %its = channel.deq @g::@f : !llvm.ptr
  "llvm.intr.memcpy"(%mine, %its, %size) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  channel.tfree @g::@f %e : !channel.element
  %ce = channel.talloc @g::@f : !channel.element
  channel.enq @g::@f %ce (%mine : !llvm.ptr)
  llvm.return
}

// -----

// Fields that other units rely on stay, and so do fields that are used as a whole.
// CHECK-LABEL: channel.graph @g
// CHECK: channel.stack @f (i64)
// CHECK: channel.stack @h (i64)
channel.graph @g {
  channel.stack @f (i64) {linkage = #llvm.linkage<external>}
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [] publishes []
  channel.stack @h (i64) {linkage = #llvm.linkage<internal>}
  channel.kernel @h.k0 segment 0 of @h body @h.k0 consumes @h spawns [] publishes []
}

llvm.func @use(!llvm.ptr, i64)
llvm.func @f.k0() attributes {channel.kernel = @g::@f.k0} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %board = llvm.alloca %one x !llvm.struct<"Board", (array<8 x i8>)> : (i32) -> !llvm.ptr
  %e, %packed = channel.deq @g::@f : i64
  channel.tfree @g::@f %e : !channel.element
  llvm.store %packed, %board : i64, !llvm.ptr
  llvm.return
}
llvm.func @h.k0() attributes {channel.kernel = @g::@h.k0} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %board = llvm.alloca %one x !llvm.struct<"Board", (array<8 x i8>)> : (i32) -> !llvm.ptr
  %e, %packed = channel.deq @g::@h : i64
  channel.tfree @g::@h %e : !channel.element
  llvm.store %packed, %board : i64, !llvm.ptr
  llvm.call @use(%board, %packed) : (!llvm.ptr, i64) -> ()
  llvm.return
}
