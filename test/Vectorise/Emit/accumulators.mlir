// Tests that operations of one kind on one pointer share sums, which go to memory once, at the end, and that all kernels share
// the function for lanes with another accumulator.
// RUN: cilk-opt %s --vectorise-lanes="length=16 isa=avx2" | FileCheck %s --implicit-check-not='llvm.func @cilk2gpu.accumulate.'

// Pointers into frames are offsets of 32 bits, with another function.
// CHECK: llvm.func @cilk2gpu.accumulate.add.i64.x16.avx2.frames({{.*}}: i16, %[[OFFSETS:.*]]: vector<16xi32>, %[[WINDOW:.*]]: !llvm.ptr) -> !llvm.struct<(ptr, i16)>
// CHECK: %[[FIRST:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i32
// CHECK: llvm.icmp "eq" %[[OFFSETS]], %{{.*}} : vector<16xi32>
// CHECK: llvm.getelementptr %[[WINDOW]]

// The old sums go to memory. Then each group of other lanes with one accumulator does the same for its values.
// CHECK-DAG: llvm.func @cilk2gpu.accumulate.max.i64.x16.avx2(
// CHECK-DAG: llvm.func @cilk2gpu.accumulate.add.i64.x16.avx2(%[[SUMS:.*]]: vector<16xi64>, %[[OLD:.*]]: !llvm.ptr, %[[VALUES:.*]]: vector<16xi64>, %{{.*}}: i16, %{{.*}}: vector<16x!llvm.ptr>) -> !llvm.struct<(ptr, i16)> attributes {passthrough = {{\[\[}}"cilk2gpu-lane-clone", "avx2"]]} {
// CHECK: %[[OLD_SUM:.*]] = "llvm.intr.vector.reduce.add"(%[[SUMS]])
// CHECK: llvm.atomicrmw add %[[OLD]], %[[OLD_SUM]] monotonic
// CHECK: llvm.intr.cttz
// CHECK: %[[CURRENT:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK: llvm.intr.cttz
// CHECK: llvm.select %{{.*}}, %[[VALUES]], %{{.*}} : vector<16xi1>, vector<16xi64>
// CHECK: llvm.atomicrmw add
// CHECK: llvm.insertvalue %[[CURRENT]], %{{.*}}[0]
// CHECK: llvm.return

// CHECK-LABEL: llvm.func @shared.wave(
// CHECK-COUNT-2: llvm.call @cilk2gpu.accumulate.add.i64.x16.avx2({{.*}}) {no_unwind}
// CHECK-COUNT-1: llvm.atomicrmw add
// CHECK-NOT: llvm.atomicrmw
// CHECK: llvm.return
llvm.func @shared() attributes {passthrough = ["cilk2gpu-lane-kernel"]} {
  %value = lane.deq 0 : i64
  %sum = lane.deq 1 : !llvm.ptr
  %two = llvm.mlir.constant(2 : i64) : i64
  %more = llvm.add %value, %two : i64
  lane.accumulate add %value into %sum : i64
  lane.accumulate add %more into %sum : i64
  llvm.return
}

// Another pointer and another kind have sums of their own.
// CHECK-LABEL: llvm.func @apart.wave(
// CHECK-COUNT-2: llvm.call @cilk2gpu.accumulate.add.i64.x16.avx2(
// CHECK: llvm.call @cilk2gpu.accumulate.max.i64.x16.avx2(
// CHECK-COUNT-2: llvm.atomicrmw add
// CHECK: llvm.atomicrmw max
// CHECK: llvm.return
llvm.func @apart() attributes {passthrough = ["cilk2gpu-lane-kernel"]} {
  %value = lane.deq 0 : i64
  %sum = lane.deq 1 : !llvm.ptr
  %other = lane.deq 2 : !llvm.ptr
  lane.accumulate add %value into %sum : i64
  lane.accumulate add %value into %other : i64
  lane.accumulate max %value into %other : i64
  llvm.return
}

// The lanes' offsets are compared with the offset of the accumulator, if that is in the window. Only the function makes
// pointers.
// CHECK-LABEL: llvm.func @frames.wave(
// CHECK-COUNT-2: llvm.ptrtoint
// CHECK: %[[DISTANCE:.*]] = llvm.sub
// CHECK: %[[SHIFTED:.*]] = llvm.lshr %[[DISTANCE]], %[[SHIFT:.*]] : i64
// CHECK: %[[OFFSET:.*]] = llvm.trunc %[[SHIFTED]] : i64 to i32
// CHECK: %[[WIDE:.*]] = llvm.zext %[[OFFSET]] : i32 to i64
// CHECK: %[[BACK:.*]] = llvm.shl %[[WIDE]], %[[SHIFT]] : i64
// CHECK: %[[HAS:.*]] = llvm.icmp "eq" %[[BACK]], %[[DISTANCE]] : i64
// CHECK: llvm.icmp "eq" %{{.*}} : vector<16xi32>
// CHECK: %[[OTHERS:.*]] = llvm.select %[[HAS]], %{{.*}}, %{{.*}} : i1, i16
// CHECK: llvm.icmp "ne" %[[OTHERS]], %{{.*}} : i16
// CHECK: llvm.call @cilk2gpu.accumulate.add.i64.x16.avx2.frames(
// CHECK: llvm.return
llvm.func @frames() attributes {passthrough = ["cilk2gpu-lane-kernel"]} {
  %value = lane.deq 0 : i64
  %offset = lane.deq 1 : i32
  %sum = lane.destination %offset
  lane.accumulate add %value into %sum : i64
  llvm.return
}
