// Tests that a kernel in C++ with a node gets a function that stores its arguments, and an entry in the list of kernels that
// a constructor registers. Nodes without a kernel are not in the list.
// RUN: cilk-opt %s --convert-channel-to-llvm | FileCheck %s

module @unit attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<64> : vector<4xi64>, i32 = dense<32> : vector<2xi64>, i64 = dense<64> : vector<2xi64>>} {
channel.graph @g {
  channel.blocks @k fields(!llvm.ptr, !llvm.struct<(i64, i64)>, i1) body @k.block kernel @k
  channel.blocks @own fields() body @own.block threads [1, 1, 1]
}
llvm.func @k(!llvm.ptr, !llvm.ptr {llvm.byval = !llvm.struct<(i64, i64)>}, i1 {llvm.zeroext})
llvm.func @k.block(!llvm.ptr, !llvm.ptr, i1) attributes {channel.blocks = @g::@k} {
^bb0(%p: !llvm.ptr, %s: !llvm.ptr, %b: i1):
  llvm.return
}
llvm.func @own.block() attributes {channel.blocks = @g::@own} {
  llvm.return
}
}

// CHECK-LABEL: llvm.func internal @k.pack(
// CHECK-SAME: %[[P:.*]]: !llvm.ptr, %[[S:.*]]: !llvm.ptr {llvm.byval = !llvm.struct<(i64, i64)>}, %[[B:.*]]: i1 {llvm.zeroext}) attributes {passthrough = {{\[\[}}"cilk2gpu-origin", "k"]]}
// CHECK: %[[MEMORY:.*]] = llvm.call @__cilk2gpu_block_arguments()
// CHECK: llvm.getelementptr %[[MEMORY]][0, 0]
// CHECK: llvm.store %[[P]]
// CHECK: %[[FIELD:.*]] = llvm.getelementptr %[[MEMORY]][0, 1]
// CHECK: "llvm.intr.memcpy"(%[[FIELD]], %[[S]]
// CHECK: llvm.store %[[B]]
// CHECK-LABEL: llvm.mlir.global internal constant @__cilk2gpu_block_kernels.table()
// CHECK-SAME: !llvm.array<1 x
// CHECK: llvm.mlir.addressof @k :
// CHECK: llvm.mlir.addressof @k.pack :
// CHECK: llvm.mlir.addressof @__cilk2gpu_blocks_k :
// CHECK: llvm.mlir.constant(32 : i64)
// CHECK: llvm.mlir.constant(8 : i64)
// CHECK: llvm.mlir.global internal @__cilk2gpu_block_kernels()
// CHECK: llvm.func internal @__cilk2gpu_register_block_kernels()
// CHECK: llvm.call @__cilk2gpu_register_blocks(
// CHECK: llvm.mlir.global_ctors ctors = [@__cilk2gpu_register_block_kernels]
