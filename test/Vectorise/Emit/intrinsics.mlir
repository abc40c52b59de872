// Tests intrinsics without an operation in the LLVM dialect, lane by lane of a vector, and that prefetches are dropped.
// RUN: cilk-opt %s --vectorise-lanes="length=8 isa=avx2" | FileCheck %s --implicit-check-not=llvm.intr.prefetch
// RUN: cilk-opt %s --vectorise-lanes="length=8 isa=avx2" | cilk-translate --mlir-to-llvmir | FileCheck %s --check-prefix=LLVM


// CHECK-LABEL: llvm.func @f.wave(
// CHECK: llvm.call_intrinsic "llvm.scmp.i32.i64"(%{{.*}}, %{{.*}}) : (vector<8xi64>, vector<8xi64>) -> vector<8xi32>
// CHECK: llvm.call_intrinsic "llvm.ucmp.i32.i64"(%{{.*}}, %{{.*}}) : (vector<8xi64>, vector<8xi64>) -> vector<8xi32>
// LLVM-DAG: call <8 x i32> @llvm.scmp.v8i32.v8i64(<8 x i64>
// LLVM-DAG: call <8 x i32> @llvm.ucmp.v8i32.v8i64(<8 x i64>
llvm.func @f() attributes {passthrough = ["cilk2gpu-lane-kernel"]} {
  %five = llvm.mlir.constant(5 : i64) : i64
  %x = lane.deq 0 : i64
  %p = lane.deq 1 : !llvm.ptr
  "llvm.intr.prefetch"(%p) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}> : (!llvm.ptr) -> ()
  %signed = llvm.call_intrinsic "llvm.scmp.i32.i64"(%x, %five) : (i64, i64) -> i32
  %unsigned = llvm.call_intrinsic "llvm.ucmp.i32.i64"(%x, %five) : (i64, i64) -> i32
  %both = llvm.add %signed, %unsigned : i32
  lane.result %both to %p : i32
  llvm.return
}
