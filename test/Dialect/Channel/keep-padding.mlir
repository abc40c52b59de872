// Tests that variables that are copied as bytes get a type without padding and keep their alignment. Others keep their types.
// RUN: cilk-opt %s -channel-keep-padding | FileCheck %s

module attributes {dlti.dl_spec = #dlti.dl_spec<i8 = dense<8> : vector<2xi64>, i16 = dense<16> : vector<2xi64>, i32 = dense<32> : vector<2xi64>, i64 = dense<64> : vector<2xi64>, i128 = dense<128> : vector<2xi64>>} {

// CHECK-LABEL: @copied
// CHECK: llvm.alloca %{{.*}} x !llvm.array<2 x i64> {alignment = 8 : i64}
// CHECK: llvm.alloca %{{.*}} x !llvm.array<1 x i128> {alignment = 16 : i64}
// CHECK: llvm.alloca %{{.*}} x !llvm.array<1 x i128> {alignment = 16 : i64}
// CHECK: llvm.alloca %{{.*}} x !llvm.struct<(i32, i32, i64)>
// CHECK: llvm.alloca %{{.*}} x !llvm.array<12 x i8>
// CHECK: llvm.alloca %{{.*}} x !llvm.array<2 x i64> {alignment = 8 : i64}
llvm.func @copied(%p: !llvm.ptr, %c: i8) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %size = llvm.mlir.constant(16 : i64) : i64
  %less = llvm.mlir.constant(12 : i64) : i64
  %holes = llvm.alloca %one x !llvm.struct<(i8, i64)> : (i32) -> !llvm.ptr
  %wide = llvm.alloca %one x f80 {alignment = 16 : i64} : (i32) -> !llvm.ptr
  %three = llvm.alloca %one x vector<3xf32> {alignment = 16 : i64} : (i32) -> !llvm.ptr
  %full = llvm.alloca %one x !llvm.struct<(i32, i32, i64)> : (i32) -> !llvm.ptr
  %bytes = llvm.alloca %one x !llvm.array<12 x i8> : (i32) -> !llvm.ptr
  %inner = llvm.alloca %one x !llvm.struct<(struct<(i8, i32)>, i64)> : (i32) -> !llvm.ptr
  "llvm.intr.memcpy"(%holes, %p, %size) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  "llvm.intr.memset"(%wide, %c, %size) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  "llvm.intr.memmove"(%p, %three, %size) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  "llvm.intr.memcpy"(%p, %full, %size) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  "llvm.intr.memcpy"(%p, %bytes, %less) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  "llvm.intr.memcpy"(%p, %inner, %size) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.return
}

// CHECK-LABEL: @loaded
// CHECK: llvm.alloca %{{.*}} x !llvm.struct<(i8, i64)>
llvm.func @loaded() -> !llvm.struct<(i8, i64)> {
  %one = llvm.mlir.constant(1 : i32) : i32
  %holes = llvm.alloca %one x !llvm.struct<(i8, i64)> : (i32) -> !llvm.ptr
  %v = llvm.load %holes : !llvm.ptr -> !llvm.struct<(i8, i64)>
  llvm.return %v : !llvm.struct<(i8, i64)>
}

}
