// Tests that lanes that are refused space save themselves one after the other, in one loop for each site, with every instruction
// set. Vectors also do the work behind such a site.
// RUN: cilk-opt %s --vectorise-lanes="length=16 isa=avx2" --split-input-file | FileCheck %s
// RUN: cilk-opt %s --vectorise-lanes="length=32 isa=avx512" --split-input-file | FileCheck %s --check-prefixes=CHECK,MASKS


// CHECK-LABEL: llvm.func @f.wave(
// MASKS-NOT: llvm.intr.masked.scatter
// CHECK: llvm.call @__cilk2gpu_talloc_lanes
// Live values that differ between lanes go to the stack.
// CHECK: llvm.store %{{.*}}, %{{.*}} : vector<[[LANES:16|32]]xi32>, !llvm.ptr
// CHECK: llvm.store %{{.*}}, %{{.*}} : vector<[[LANES]]x!llvm.ptr>, !llvm.ptr
// CHECK: llvm.intr.cttz
// CHECK: %[[N:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i32
// CHECK: %[[DEST:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// The lane's frame is the last free one.
// CHECK: %[[LEFT:.*]] = llvm.sub %{{.*}}, %{{.*}} : i64
// CHECK: llvm.store %[[LEFT]], %{{.*}} : i64, !llvm.ptr
// CHECK: %[[LAST:.*]] = llvm.getelementptr %{{.*}}[%[[LEFT]]]
// CHECK: %[[FRAME:.*]] = llvm.load %[[LAST]] : !llvm.ptr -> !llvm.ptr
// CHECK: llvm.store %[[N]], %[[FRAME]] : i32, !llvm.ptr
// CHECK: llvm.store %[[DEST]], %{{.*}} : !llvm.ptr, !llvm.ptr
// CHECK: llvm.store %[[FRAME]], %{{.*}} : !llvm.ptr, !llvm.ptr
// CHECK-NOT: llvm.intr.cttz
// CHECK: llvm.return
llvm.func @f() attributes {passthrough = ["cilk2gpu-lane-kernel"]} {
  %site = llvm.mlir.constant(1 : i32) : i32
  %n = lane.deq 0 : i32
  %dest = lane.deq 1 : !llvm.ptr
  %ok = lane.spawn 0 (%n, %dest : i32, !llvm.ptr)
  llvm.cond_br %ok, ^end, ^refused
^refused:
  %frame = lane.frame
  llvm.store %n, %frame : i32, !llvm.ptr
  %second = llvm.getelementptr %frame[8] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %dest, %second : !llvm.ptr, !llvm.ptr
  lane.yield %frame at %site
  llvm.br ^end
^end:
  llvm.return
}

// -----

// The frame is stored by all lanes together after some of them have yielded with theirs.
// CHECK-LABEL: llvm.func @g.wave(
// MASKS: llvm.intr.masked.expandload
// CHECK: llvm.intr.cttz
// MASKS: llvm.intr.masked.scatter
llvm.func @g() attributes {passthrough = ["cilk2gpu-lane-kernel"]} {
  %site = llvm.mlir.constant(1 : i32) : i32
  %n = lane.deq 0 : i32
  %dest = lane.deq 1 : !llvm.ptr
  %none = llvm.mlir.zero : !llvm.ptr
  %ok = lane.spawn 0 (%n, %dest : i32, !llvm.ptr)
  llvm.cond_br %ok, ^end(%none : !llvm.ptr), ^refused
^refused:
  %frame = lane.frame
  lane.yield %frame at %site
  llvm.br ^end(%frame : !llvm.ptr)
^end(%held: !llvm.ptr):
  llvm.store %held, %dest : !llvm.ptr, !llvm.ptr
  llvm.return
}

// -----

// Addresses in the frames' window go to the stack as offsets. Each lane makes its address.
// CHECK-LABEL: llvm.func @destination.wave(
// CHECK: llvm.call @__cilk2gpu_talloc_lanes
// CHECK-NOT: llvm.store {{.*}}x!llvm.ptr>
// CHECK: llvm.intr.cttz
// CHECK-NOT: llvm.store {{.*}}x!llvm.ptr>
// CHECK: %[[OFFSET:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i32
// CHECK: %[[UNITS:.*]] = llvm.zext %[[OFFSET]] : i32 to i64
// CHECK: %[[DEST:.*]] = llvm.getelementptr %{{.*}}[%[[UNITS]]] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK: llvm.store %[[DEST]], %{{.*}} : !llvm.ptr, !llvm.ptr
// CHECK: llvm.return
llvm.func @destination() attributes {passthrough = ["cilk2gpu-lane-kernel"]} {
  %site = llvm.mlir.constant(1 : i32) : i32
  %n = lane.deq 0 : i32
  %offset = lane.deq 1 : i32
  %dest = lane.destination %offset
  %ok = lane.spawn 0 (%n, %offset : i32, i32)
  llvm.cond_br %ok, ^end, ^refused
^refused:
  %frame = lane.frame
  llvm.store %dest, %frame : !llvm.ptr, !llvm.ptr
  lane.yield %frame at %site
  llvm.br ^end
^end:
  llvm.return
}
