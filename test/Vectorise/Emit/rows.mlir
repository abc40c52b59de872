// Tests the rows of threads of block graphs: accesses to neighbouring memory, comparisons as intervals of lanes, barriers.
// RUN: cilk-opt %s --vectorise-lanes="length=64 isa=avx512" | FileCheck %s
// RUN: cilk-opt %s --vectorise-lanes="length=16 isa=avx2" | FileCheck %s --check-prefix=AVX2
// RUN: cilk-opt %s --vectorise-lanes="length=16 isa=sse" | FileCheck %s --check-prefix=SSE

// A loop runs the row, one vector of threads after another. Neighbouring elements are one access, at the address of
// lane 0. It needs no check, because a coordinate does not wrap around.
// CHECK-LABEL: llvm.func @neighbours.lanes.wave(
// CHECK-SAME: %{{.*}}: !llvm.ptr, %[[THREADS:.*]]: i32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %[[P:[a-z0-9]+]]: !llvm.ptr) attributes
// CHECK: ^[[LOOP:bb[0-9]+]](%[[FIRST:.*]]: i64):
// The mask of the threads that there are comes from their number. An integer cannot be shifted by its 64 bits.
// CHECK: %[[COUNT:.*]] = llvm.intr.umin
// CHECK: %[[ABOVE:.*]] = llvm.shl %{{.*}}, %[[COUNT]] : i64
// CHECK: %[[FULL:.*]] = llvm.icmp "eq" %[[COUNT]]
// CHECK: %[[OTHERS:.*]] = llvm.select %[[FULL]], %{{.*}}, %[[ABOVE]] : i1, i64
// CHECK: %[[BITS:.*]] = llvm.xor %[[OTHERS]]
// CHECK: %[[MASK:.*]] = llvm.bitcast %[[BITS]] : i64 to vector<64xi1>
// CHECK: llvm.intr.masked.load %{{.*}}, %[[MASK]], %{{.*}} {alignment = 4 : i32} : (!llvm.ptr, vector<64xi1>, vector<64xi32>) -> vector<64xi32>
// CHECK-NOT: gather
// CHECK-NOT: scatter
// CHECK: llvm.intr.masked.store
// CHECK: llvm.cond_br %{{.*}}, ^[[LOOP]]
// Words have masks with AVX2. Without masks, only a full vector is one access.
// AVX2-LABEL: llvm.func @neighbours.lanes.wave(
// AVX2: llvm.intr.masked.load
// AVX2: llvm.intr.masked.store
// SSE-LABEL: llvm.func @neighbours.lanes.wave(
// SSE: %[[FULL:.*]] = llvm.icmp "eq" %{{.*}} : i16
// SSE: llvm.cond_br %[[FULL]]
// SSE: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<16xi32>
llvm.func @neighbours.lanes(%place: !llvm.ptr, %threads: i32, %rows: i32, %y: i32, %z: i32, %p: !llvm.ptr) attributes {passthrough = ["cilk2gpu-lane-kernel", ["cilk2gpu-block-body", "0:0:"]]} {
  %x = lane.thread
  %i = llvm.zext %x : i32 to i64
  %from = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %value = llvm.load %from : !llvm.ptr -> i32
  %sum = llvm.add %value, %x : i32
  llvm.store %sum, %from : i32, !llvm.ptr
  llvm.return
}

// The index of lane 0 may be one that wraps around. So the address is that of the first active lane, and the code checks
// that the index does not wrap around behind it. Descending elements are reversed.
// CHECK-LABEL: llvm.func @descends.lanes.wave(
// CHECK: llvm.bitcast %{{.*}} : i64 to vector<64xi1>
// CHECK: %[[INSIDE:.*]] = llvm.bitcast %{{.*}} : i64 to vector<64xi1>
// CHECK: %[[ACTIVE:.*]] = llvm.select %{{.*}}, %[[INSIDE]], %{{.*}} : vector<64xi1>, vector<64xi1>
// CHECK: llvm.intr.cttz
// CHECK: llvm.intr.ctlz
// CHECK: %[[EVEN:.*]] = llvm.icmp "eq" %{{.*}} : i64
// CHECK: llvm.cond_br %[[EVEN]] weights([2000, 1])
// CHECK: %[[LANES:.*]] = llvm.shufflevector %[[ACTIVE]], %[[ACTIVE]] [63, 62, 61
// CHECK: %[[LOADED:.*]] = llvm.intr.masked.load %{{.*}}, %[[LANES]]
// CHECK: llvm.shufflevector %[[LOADED]], %[[LOADED]] [63, 62, 61
// CHECK: llvm.intr.masked.gather
llvm.func @descends.lanes(%place: !llvm.ptr, %threads: i32, %rows: i32, %y: i32, %z: i32, %p: !llvm.ptr, %n: i32) attributes {passthrough = ["cilk2gpu-lane-kernel", ["cilk2gpu-block-body", "0:0:"]]} {
  %limit = llvm.mlir.constant(32 : i32) : i32
  %x = lane.thread
  %k = llvm.sub %n, %x : i32
  %inside = llvm.icmp "ult" %k, %limit : i32
  llvm.cond_br %inside, ^load, ^end
^load:
  %i = llvm.zext %k : i32 to i64
  %from = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %value = llvm.load %from : !llvm.ptr -> i32
  llvm.store %value, %p : i32, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return
}

// A vector of threads begins at the thread of the place. Lanes meet without code if the block has no other vector. Behind
// a varying branch, the code checks that all lanes are there.
// CHECK-LABEL: llvm.func @waits.lanes.wave(
// CHECK-SAME: %[[PLACE:[a-z0-9]+]]: !llvm.ptr, %[[THREADS:[a-z0-9]+]]: i32, %[[ROWS:[a-z0-9]+]]: i32, %[[Y:[a-z0-9]+]]: i32, %[[Z:[a-z0-9]+]]: i32
// CHECK: %[[ONE:.*]] = llvm.icmp "eq" %[[ROWS]]
// CHECK: %[[FITS:.*]] = llvm.icmp "ule" %[[THREADS]]
// CHECK: %[[ALONE:.*]] = llvm.and %[[ONE]], %[[FITS]]
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[PLACE]][24]
// CHECK: llvm.load %[[AT]] : !llvm.ptr -> i32
// CHECK: llvm.cond_br %[[ALONE]] weights([2000, 1])
// CHECK: llvm.call @__cilk2gpu_sync_block() : () -> ()
// CHECK: %[[ALL:.*]] = llvm.icmp "eq" %[[SOME:.*]], %[[EVERY:.*]] : i64
// CHECK: llvm.cond_br %[[ALL]] weights([2000, 1])
// CHECK: llvm.call @__cilk2gpu_part_block(%[[PLACE]], %{{.*}}, %[[Y]], %[[Z]], %[[SOME]], %[[EVERY]])
llvm.func @waits.lanes(%place: !llvm.ptr, %threads: i32, %rows: i32, %y: i32, %z: i32, %p: !llvm.ptr) attributes {passthrough = ["cilk2gpu-lane-kernel", ["cilk2gpu-block-body", "0:0:"]]} {
  %x = lane.thread
  lane.barrier
  %i = llvm.zext %x : i32 to i64
  %from = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i1
  %value = llvm.load %from : !llvm.ptr -> i1
  llvm.cond_br %value, ^meet, ^end
^meet:
  lane.barrier
  llvm.br ^end
^end:
  llvm.return
}
