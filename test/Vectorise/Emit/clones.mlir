// Tests calls of functions with vector clones. Each choice of arguments that differ from lane to lane has its own clone, with the
// active lanes as a mask. Clones call others. A function of values that all lanes share is called once.
// RUN: cilk-opt %s --vectorise-lanes="length=8 isa=avx512" | FileCheck %s --implicit-check-not=avx512.8uu --implicit-check-not=.lane(
// RUN: cilk-opt %s --vectorise-lanes="length=8 isa=avx2" | FileCheck %s --check-prefix=NONE --implicit-check-not=clone

llvm.func @inner(i8) -> i1
llvm.func @mixed(i32, i32) -> i32
llvm.func @pure(i32) -> i32 attributes {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, no_unwind, will_return}

// Integers take a power of two of bytes.
// CHECK-LABEL: llvm.func @inner.clone.avx512.8v(%{{.*}}: i8, %{{.*}}: vector<8xi8>) -> vector<8xi8>
// CHECK: llvm.icmp "slt" %{{.*}}, %{{.*}} : vector<8xi8>
// CHECK: %[[WIDE:.*]] = llvm.zext %{{.*}} : vector<8xi1> to vector<8xi8>
// CHECK: llvm.return %[[WIDE]]

// CHECK-LABEL: llvm.func @mixed.clone.avx512.8vv(
// CHECK-LABEL: llvm.func @mixed.clone.avx512.8vu(
// CHECK-SAME: %[[MASK:.*]]: i8, %{{.*}}: vector<8xi32>, %{{.*}}: i32) -> vector<8xi32>
// CHECK: llvm.bitcast %[[MASK]] : i8 to vector<8xi1>
// CHECK: llvm.call @inner.clone.avx512.8v(%{{.*}}) : (i8, vector<8xi8>) -> vector<8xi8>
// A side is computed only for as many lanes as take it. If no lane takes it, it is skipped.
// CHECK: llvm.select
// CHECK: llvm.cond_br
// CHECK: llvm.store

// CHECK-LABEL: llvm.func @f.wave(
// CHECK: %[[BITS:.*]] = llvm.bitcast %{{.*}} : vector<8xi1> to i8
// CHECK: llvm.call @mixed.clone.avx512.8vu(%[[BITS]], %{{.*}}, %{{.*}}) : (i8, vector<8xi32>, i32) -> vector<8xi32>
// CHECK: llvm.call @mixed.clone.avx512.8vv(
// CHECK: llvm.call @pure(%{{.*}} : (i32) -> i32
// NONE-LABEL: llvm.func @f.wave(
// NONE: llvm.call @mixed(%{{.*}}, %{{.*}}) : (i32, i32) -> i32
llvm.func @f() attributes {passthrough = ["cilk2gpu-lane-kernel"]} {
  %five = llvm.mlir.constant(5 : i32) : i32
  %n = lane.deq 0 : i32
  %p = lane.deq 1 : !llvm.ptr
  %a = llvm.call @mixed(%n, %five) : (i32, i32) -> i32
  %b = llvm.call @mixed(%n, %a) : (i32, i32) -> i32
  %c = llvm.call @pure(%five) {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, no_unwind, will_return} : (i32) -> i32
  %sum = llvm.add %b, %c : i32
  lane.result %sum to %p : i32
  llvm.return
}

llvm.func @inner.clone.avx512(%x: i8) -> i1 attributes {passthrough = [["cilk2gpu-lane-clone", "avx512"]]} {
  %zero = llvm.mlir.constant(0 : i8) : i8
  %negative = llvm.icmp "slt" %x, %zero : i8
  llvm.return %negative : i1
}

llvm.mlir.global external @count(0 : i32) : i32

llvm.func @mixed.clone.avx512(%x: i32, %y: i32) -> i32 attributes {passthrough = [["cilk2gpu-lane-clone", "avx512"]]} {
  %byte = llvm.trunc %x : i32 to i8
  %negative = llvm.call @inner(%byte) : (i8) -> i1
  llvm.cond_br %negative, ^early, ^late
^early:
  %where = llvm.mlir.addressof @count : !llvm.ptr
  llvm.store %y, %where : i32, !llvm.ptr
  llvm.return %x : i32
^late:
  %sum = llvm.add %x, %y : i32
  llvm.return %sum : i32
}

llvm.func @pure.clone.avx512(%x: i32) -> i32 attributes {passthrough = [["cilk2gpu-lane-clone", "avx512"]]} {
  llvm.return %x : i32
}
