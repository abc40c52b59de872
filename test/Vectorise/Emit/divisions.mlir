// Tests divisions by variables: lanes divide integers of up to 32 bits together, as floating-point numbers. Lanes that are not
// active divide by one. Divisions by constants and 64-bit divisions stay divisions of integers.
// RUN: cilk-opt %s --vectorise-lanes="length=8 isa=avx2" | FileCheck %s

// CHECK-LABEL: llvm.func @f.wave(
// CHECK: %[[DIVISOR:.*]] = llvm.select %{{.*}}, %{{.*}}, %{{.*}} : vector<8xi1>, vector<8xi32>
// CHECK: llvm.sitofp %{{.*}} : vector<8xi32> to vector<8xf64>
// CHECK: llvm.sitofp %[[DIVISOR]] : vector<8xi32> to vector<8xf64>
// CHECK: llvm.fdiv %{{.*}}, %{{.*}} : vector<8xf64>
// CHECK: %[[QUOTIENT:.*]] = llvm.fptosi %{{.*}} : vector<8xf64> to vector<8xi32>
// CHECK: llvm.mul %[[QUOTIENT]], %[[DIVISOR]] : vector<8xi32>
// CHECK: llvm.sub %{{.*}}, %{{.*}} : vector<8xi32>
// CHECK: llvm.uitofp %{{.*}} : vector<8xi16> to vector<8xf32>
// CHECK: llvm.fptoui %{{.*}} : vector<8xf32> to vector<8xi16>
// CHECK: llvm.udiv %{{.*}}, %{{.*}} : vector<8xi32>
// CHECK: llvm.sdiv %{{.*}}, %{{.*}} : vector<8xi64>
llvm.func @f() attributes {passthrough = ["cilk2gpu-lane-kernel"]} {
  %seven = llvm.mlir.constant(7 : i32) : i32
  %x = lane.deq 0 : i32
  %y = lane.deq 1 : i32
  %a = lane.deq 2 : i16
  %b = lane.deq 3 : i16
  %m = lane.deq 4 : i64
  %n = lane.deq 5 : i64
  %p = lane.deq 6 : !llvm.ptr
  %rest = llvm.srem %x, %y : i32
  %short = llvm.udiv %a, %b : i16
  %constant = llvm.udiv %x, %seven : i32
  %long = llvm.sdiv %m, %n : i64
  %wide = llvm.zext %short : i16 to i32
  %narrow = llvm.trunc %long : i64 to i32
  %one = llvm.add %rest, %wide : i32
  %two = llvm.add %constant, %narrow : i32
  %all = llvm.add %one, %two : i32
  lane.result %all to %p : i32
  llvm.return
}
