// Tests that block graphs become records, that their bodies become functions of a place and the arguments, with loops over
// blocks and threads unless threads wait for one another, and that launches become calls of the runtime.
// RUN: cilk-opt %s --convert-channel-to-llvm | FileCheck %s

module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<64> : vector<4xi64>, i32 = dense<32> : vector<2xi64>, i64 = dense<64> : vector<2xi64>>} {
channel.graph @g {
  channel.blocks @linked fields(!llvm.ptr, i32) body @linked.block links @linked.links threads [16, 1, 8] policy lvl bound 3
  channel.blocks @shifted fields(!llvm.struct<(i32, i64)>) body @shifted.block threads [1, 1, 1] offsets = [[-1, 0, 0], [2, -1, 0]]
  channel.blocks @static fields() body @static.block threads [2, 1, 1] starts = [0, 2, 3, 3] children = [1, 2, 2]
  channel.blocks @open fields() body @open.block
}

// CHECK-LABEL: llvm.func internal @linked.links(
// CHECK-SAME: %[[PLACE:.*]]: !llvm.ptr) {
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[PLACE]][4]
// CHECK: %[[Y:.*]] = llvm.load %[[AT]] invariant : !llvm.ptr -> i32
// CHECK: llvm.call @__cilk2gpu_link_block(%[[PLACE]], %[[Y]], %[[Y]], %[[Y]])
llvm.func @linked.links() attributes {channel.blocks = @g::@linked} {
  %y = channel.block_id y : i32
  channel.link %y, %y, %y
  llvm.return
}

// CHECK-LABEL: llvm.func internal @linked.block.thread(
// CHECK-SAME: %[[PLACE:.*]]: !llvm.ptr, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %[[Z:.*]]: i32, %[[P:.*]]: !llvm.ptr, %{{.*}}: i32) attributes {always_inline}
// CHECK: llvm.getelementptr %[[PLACE]][12]
// CHECK: %[[COLUMNS:.*]] = llvm.load %{{.*}} invariant : !llvm.ptr -> i32
// CHECK: %[[SUM:.*]] = llvm.add %[[Z]], %[[COLUMNS]]
// CHECK: llvm.store %[[SUM]], %[[P]]
// Two dimensions have more than one thread: two loops, in a loop over blocks that are neighbours along x.
// CHECK-LABEL: llvm.func internal @linked.block(
// CHECK-SAME: %[[PLACE:.*]]: !llvm.ptr, %[[ARGUMENTS:.*]]: !llvm.ptr)
// CHECK: %[[FIELD0:.*]] = llvm.load
// CHECK: %[[FIELD1:.*]] = llvm.load
// CHECK: llvm.getelementptr %[[PLACE]][0]
// CHECK-NEXT: %[[FIRST:.*]] = llvm.load
// CHECK: llvm.getelementptr %[[PLACE]][48]
// CHECK-NEXT: %[[COUNT:.*]] = llvm.load
// CHECK: ^[[BLOCKS:bb[0-9]]](%[[NUMBER:.*]]: i32):
// CHECK: %[[BX:.*]] = llvm.add %[[FIRST]], %[[NUMBER]] overflow<nuw>
// CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
// CHECK: ^[[OUTER:bb[0-9]]](%[[TZ:.*]]: i32):
// CHECK: ^[[INNER:bb[0-9]]](%[[TX:.*]]: i32):
// CHECK: llvm.call @linked.block.thread(%[[PLACE]], %[[BX]], %[[TX]], %[[ZERO]], %[[TZ]], %[[FIELD0]], %[[FIELD1]])
// CHECK: llvm.mlir.constant(16 : i32)
// CHECK: llvm.cond_br %{{.*}}, ^[[INNER]]
// CHECK: llvm.mlir.constant(8 : i32)
// CHECK: llvm.cond_br %{{.*}}, ^[[OUTER]]
// CHECK: llvm.icmp "ult" %{{.*}}, %[[COUNT]]
// CHECK: llvm.cond_br %{{.*}}, ^[[BLOCKS]]
llvm.func @linked.block(%p: !llvm.ptr, %n: i32) attributes {channel.blocks = @g::@linked} {
  %z = channel.thread_id z : i32
  %columns = channel.grid_dim x : i32
  %sum = llvm.add %z, %columns : i32
  llvm.store %sum, %p : i32, !llvm.ptr
  llvm.return
}

// A struct is handed on by its address; one thread needs no loop but that over blocks.
// CHECK-LABEL: llvm.func internal @shifted.block(
// CHECK-SAME: , %[[ARGUMENTS:[a-z0-9]+]]: !llvm.ptr)
// CHECK: %[[FIELD:.*]] = llvm.getelementptr %[[ARGUMENTS]][0, 0]
// CHECK: ^bb1(%{{.*}}: i32):
// CHECK-NOT: ^bb2(
// CHECK: llvm.call @shifted.block.thread(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[FIELD]])
llvm.func @shifted.block(%p: !llvm.ptr) attributes {channel.blocks = @g::@shifted} {
  llvm.return
}

// CHECK-LABEL: llvm.func internal @static.block.thread(
// CHECK: llvm.call @__cilk2gpu_sync_block()
// Threads that wait for one another are called one by one: the place has the thread's coordinates.
// CHECK-LABEL: llvm.func internal @static.block(
// CHECK-SAME: %[[PLACE:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK: llvm.getelementptr %[[PLACE]][24]
// CHECK-NEXT: %[[X:.*]] = llvm.load
// CHECK-NOT: ^bb
// CHECK: llvm.call @static.block.thread(%[[PLACE]], %{{.*}}, %[[X]]
llvm.func @static.block() attributes {channel.blocks = @g::@static} {
  channel.block_sync
  llvm.return
}

// The extents of a block are those of the launch: there is a loop for each dimension, and one over blocks.
// CHECK-LABEL: llvm.func internal @open.block.thread(
// CHECK-SAME: %[[PLACE:.*]]: !llvm.ptr, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32)
// CHECK: llvm.getelementptr %[[PLACE]][44]
// CHECK: llvm.load %{{.*}} invariant : !llvm.ptr -> i32
// CHECK-LABEL: llvm.func internal @open.block(
// CHECK-SAME: %[[PLACE:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK: llvm.getelementptr %[[PLACE]][36]
// CHECK-NEXT: %[[X:.*]] = llvm.load
// CHECK-COUNT-4: {{^}} ^bb{{[0-9]}}(%{{.*}}: i32):
// CHECK: llvm.icmp "ult" %{{.*}}, %[[X]]
llvm.func @open.block() attributes {channel.blocks = @g::@open} {
  %rows = channel.block_dim z : i32
  llvm.return
}

// CHECK-LABEL: llvm.func @host(
// CHECK-SAME: %[[N:.*]]: i32, %[[P:.*]]: !llvm.ptr)
llvm.func @host(%n: i32, %p: !llvm.ptr) {
  // CHECK-DAG: llvm.alloca %{{.*}} x !llvm.array<6 x i32>
  // CHECK-DAG: %[[ARGUMENTS:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(ptr, i32)>
  // CHECK-DAG: %[[COPY:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(struct<(i32, i64)>)>
  // CHECK: %[[RECORD:.*]] = llvm.mlir.addressof @__cilk2gpu_blocks_linked
  // CHECK: llvm.store %[[P]]
  // CHECK: llvm.store %[[N]]
  // CHECK: llvm.call @__cilk2gpu_launch_blocks(%[[RECORD]], %{{.*}}, %[[ARGUMENTS]])
  channel.launch_blocks @g::@linked grid(%n, %n) (%p, %n : !llvm.ptr, i32)
  // CHECK: %[[FIELD:.*]] = llvm.getelementptr %[[COPY]][0, 0]
  // CHECK: "llvm.intr.memcpy"(%[[FIELD]], %[[P]]
  channel.launch_blocks @g::@shifted grid(%n) (%p : !llvm.ptr)
  // CHECK: %[[RECORD:.*]] = llvm.mlir.addressof @__cilk2gpu_blocks_static
  // CHECK: %[[NONE:.*]] = llvm.mlir.zero
  // CHECK: llvm.call @__cilk2gpu_launch_blocks(%[[RECORD]], %[[NONE]]
  channel.launch_blocks @g::@static
  llvm.return
}

// CHECK-LABEL: llvm.mlir.global internal constant @__cilk2gpu_blocks_linked()
// CHECK: llvm.mlir.addressof @linked.block :
// CHECK: llvm.mlir.addressof @linked.links :
// CHECK: llvm.mlir.constant(16 : i32)
// CHECK: llvm.mlir.constant(8 : i32)
// The policy lvl, with a bound of 3.
// CHECK: llvm.mlir.constant(1 : i32)
// CHECK-NEXT: llvm.insertvalue
// CHECK-NEXT: llvm.mlir.constant(3 : i32)
// CHECK: @__cilk2gpu_blocks_shifted.offsets(dense<[-1, 0, 0, 2, -1, 0]> : tensor<6xi32>)
// CHECK-LABEL: llvm.mlir.global internal constant @__cilk2gpu_blocks_shifted()
// CHECK: llvm.mlir.addressof @__cilk2gpu_blocks_shifted.offsets
// CHECK: llvm.mlir.constant(2 : i32)
// CHECK: @__cilk2gpu_blocks_static.starts(dense<[0, 2, 3, 3]> : tensor<4xi64>)
// CHECK: @__cilk2gpu_blocks_static.children(dense<[1, 2, 2]> : tensor<3xi32>)
// Nothing is registered: there are no tasks.
// CHECK-NOT: __cilk2gpu_register
}
