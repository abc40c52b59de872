// Tests that bodies of block graphs get lane forms, whose lanes are threads of a row, and entries that call their vector forms.
// Unless threads wait or a block has 16 of them along x, there are two more lane forms: lanes are blocks that are neighbours
// along x, or any blocks of a batch.
// Where threads wait for one another, there are entries for 16 and for 64 lanes, which run one vector of threads.
// RUN: cilk-opt %s --convert-channel-to-llvm=lane-forms=avx512+avx2 | FileCheck %s

module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<64> : vector<4xi64>, i32 = dense<32> : vector<2xi64>, i64 = dense<64> : vector<2xi64>>} {
channel.graph @g {
  channel.blocks @free fields(!llvm.ptr, i32) body @free.block threads [40, 3, 1]
  channel.blocks @small fields(!llvm.ptr) body @small.block threads [2, 1, 1]
  channel.blocks @waits fields(!llvm.ptr) body @waits.block
}

// CHECK-LABEL: llvm.func @free.block.lanes(
// CHECK-SAME: %[[PLACE:.*]]: !llvm.ptr, %{{.*}}: i32, %{{.*}}: i32, %[[Y:.*]]: i32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %[[P:.*]]: !llvm.ptr, %[[N:.*]]: i32) attributes {passthrough = ["cilk2gpu-lane-kernel", ["cilk2gpu-block-body", "[[#]]:1:{{.*}}block-lanes.mlir"]]}
// CHECK: %[[X:.*]] = lane.thread
// CHECK: %[[SUM:.*]] = llvm.add %[[X]], %[[Y]]
// CHECK: llvm.store %[[SUM]], %[[P]]
// CHECK-NOT: @free.block.row
// CHECK-NOT: @free.block.blocks
// The entry has loops over the blocks and over the rows; the function that it calls has the loop over a row.
// CHECK-LABEL: llvm.func internal @free.block.simd.avx2(
// CHECK-LABEL: llvm.func internal @free.block.simd.avx512(
// CHECK: ^[[BLOCKS:bb[0-9]]](%{{.*}}: i32):
// CHECK: ^[[ROWS:bb[0-9]]](%[[ROW:.*]]: i32):
// CHECK: llvm.call @free.block.lanes.avx512.wave(%{{.*}}, %{{.*}}, %{{.*}}, %[[ROW]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
// CHECK: llvm.cond_br %{{.*}}, ^[[ROWS]]
// CHECK: llvm.cond_br %{{.*}}, ^[[BLOCKS]]
llvm.func @free.block(%p: !llvm.ptr, %n: i32) attributes {channel.blocks = @g::@free} {
  %x = channel.thread_id x : i32
  %y = channel.thread_id y : i32
  %sum = llvm.add %x, %y : i32
  llvm.store %sum, %p : i32, !llvm.ptr
  llvm.return
}

// The block's coordinates are elements of the batch's arrays, with the lane's number.
// CHECK-LABEL: llvm.func @small.block.blocks.lanes(
// CHECK-SAME: %[[PLACE:.*]]: !llvm.ptr, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %[[TX:.*]]: i32, %[[P:.*]]: !llvm.ptr) attributes {passthrough = ["cilk2gpu-lane-kernel", ["cilk2gpu-block-body", "{{.*}}"], "cilk2gpu-lanes-are-blocks"]}
// CHECK: %[[LANE:.*]] = lane.thread
// CHECK: %[[WIDE:.*]] = llvm.zext %[[LANE]]
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[PLACE]][64]
// CHECK: %[[ALL:.*]] = llvm.load %[[AT]]
// CHECK: %[[OWN:.*]] = llvm.getelementptr %[[ALL]][%[[WIDE]]]
// CHECK: %[[Y:.*]] = llvm.load %[[OWN]] invariant
// CHECK: %[[SUM:.*]] = llvm.add %{{.*}}, %[[Y]]
// CHECK: llvm.add %[[SUM]], %[[TX]]
// Threads run one after the other, and lanes together.
// CHECK-LABEL: llvm.func internal @small.block.blocks.simd.avx512(
// CHECK-SAME: %[[PLACE:.*]]: !llvm.ptr,
// CHECK: ^{{bb[0-9]}}(%[[THREAD:.*]]: i32):
// CHECK: llvm.getelementptr %[[PLACE]][48]
// CHECK-NEXT: %[[COUNT:.*]] = llvm.load
// CHECK: llvm.call @small.block.blocks.lanes.avx512.wave(%[[PLACE]], %[[COUNT]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[THREAD]], %{{.*}})
// CHECK-LABEL: llvm.func @small.block.row.lanes(
// CHECK-SAME: %{{.*}}: !llvm.ptr, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %[[FIRST:.*]]: i32, %{{.*}}: i32, %{{.*}}: !llvm.ptr) {{.*}}["cilk2gpu-lanes-are-blocks", "row"]
// CHECK: %[[LANE:.*]] = lane.thread
// CHECK: llvm.add %[[FIRST]], %[[LANE]] overflow<nuw>
llvm.func @small.block(%p: !llvm.ptr) attributes {channel.blocks = @g::@small} {
  %x = channel.block_id x : i32
  %y = channel.block_id y : i32
  %thread = channel.thread_id x : i32
  %block = llvm.add %x, %y : i32
  %sum = llvm.add %block, %thread : i32
  llvm.store %sum, %p : i32, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @waits.block.lanes(
// CHECK: lane.barrier
// CHECK-DAG: llvm.func internal @waits.block.simd.avx512.16(
// CHECK-DAG: llvm.func internal @waits.block.simd.avx512.64(
// CHECK-DAG: llvm.call @waits.block.lanes.avx512.64.wave(
// CHECK-DAG: llvm.func internal @waits.block.simd.avx2.16(
// CHECK-DAG: llvm.func internal @waits.block.simd.avx2.64(
llvm.func @waits.block(%p: !llvm.ptr) attributes {channel.blocks = @g::@waits} {
  channel.block_sync
  llvm.return
}

// CHECK-LABEL: llvm.mlir.global internal constant @{{.*}}small.forms
// CHECK: llvm.mlir.addressof @small.block.simd.avx512
// CHECK: llvm.mlir.addressof @small.block.row.simd.avx512
// CHECK: llvm.mlir.addressof @small.block.blocks.simd.avx512
// CHECK: llvm.mlir.addressof @small.block.simd.avx2
// CHECK-LABEL: llvm.mlir.global internal constant @{{.*}}waits.forms
// CHECK: llvm.mlir.addressof @waits.block.simd.avx512.16
// CHECK: llvm.mlir.constant(16 : i32)
// CHECK: llvm.mlir.addressof @waits.block.simd.avx512.64
// CHECK: llvm.mlir.constant(64 : i32)
}
