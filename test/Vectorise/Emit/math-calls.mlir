// Tests calls of a vector library's functions: for as many lanes at a time as the function takes, with 1 for inactive lanes. A
// function of values that all lanes share is called once.
// RUN: cilk-opt %s --vectorise-lanes="length=8 isa=avx2" | FileCheck %s --implicit-check-not=cilk2gpu.math

llvm.func @cilk2gpu.math.4._ZGVdN4v_sin(f64) -> f64

// CHECK: llvm.func @_ZGVdN4v_sin(vector<4xf64>) -> vector<4xf64>
// CHECK-LABEL: llvm.func @f.wave(
// CHECK: %[[ONES:.*]] = llvm.mlir.constant(dense<1.000000e+00> : vector<8xf64>)
// CHECK: %[[X:.*]] = llvm.select %{{.*}}, %{{.*}}, %[[ONES]] : vector<8xi1>, vector<8xf64>
// CHECK: %[[LOW:.*]] = llvm.shufflevector %[[X]], %[[X]] [0, 1, 2, 3]
// CHECK: llvm.call @_ZGVdN4v_sin(%[[LOW]])
// CHECK: %[[HIGH:.*]] = llvm.shufflevector %[[X]], %[[X]] [4, 5, 6, 7]
// CHECK: llvm.call @_ZGVdN4v_sin(%[[HIGH]])
// CHECK: llvm.intr.sin(%{{.*}}) : (f64) -> f64
// CHECK-NOT: llvm.intr.sin
llvm.func @f() attributes {passthrough = ["cilk2gpu-lane-kernel"]} {
  %half = llvm.mlir.constant(5.000000e-01 : f64) : f64
  %x = lane.deq 0 : f64
  %p = lane.deq 1 : !llvm.ptr
  %sin = llvm.call @cilk2gpu.math.4._ZGVdN4v_sin(%x) : (f64) -> f64
  %shared = llvm.intr.sin(%half) : (f64) -> f64
  %sum = llvm.fadd %sin, %shared : f64
  lane.result %sum to %p : f64
  llvm.return
}
