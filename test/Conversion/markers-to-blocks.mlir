// Tests that the bodies of kernels of thread blocks become nodes: markers become operations, and structs that are passed
// by value become fields. A body whose threads may not all come to a barrier goes, with a remark.
// RUN: cilk-opt %s --convert-markers-to-blocks | FileCheck %s
// RUN: cilk-opt %s --convert-markers-to-blocks -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK: channel.graph @cilk {
// CHECK-NEXT: channel.blocks @k fields(!llvm.ptr, !llvm.struct<(i64, i64)>, !llvm.array<1 x vector<16xf32>>, i1) body @k.block kernel @k
// CHECK-NEXT: }
// CHECK-NOT: divergent
// CHECK-NOT: __cilk2gpu
llvm.func @__cilk2gpu_block_id(i32) -> i32
llvm.func @__cilk2gpu_thread_id(i32) -> i32
llvm.func @__cilk2gpu_grid_dim(i32) -> i32
llvm.func @__cilk2gpu_block_dim(i32) -> i32
llvm.func @__cilk2gpu_block_sync()

// CHECK: llvm.func @k(!llvm.ptr, !llvm.ptr {llvm.byval = !llvm.struct<(i64, i64)>}, !llvm.ptr {llvm.byval = vector<16xf32>}, i1 {llvm.zeroext})
// CHECK-LABEL: llvm.func internal @k.block(
// CHECK-SAME: %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i1) attributes {channel.blocks = @cilk::@k, passthrough = {{\[\[}}"cilk2gpu-origin", "k"]]}
// CHECK: %[[X:.*]] = channel.block_id x : i32
// CHECK: %[[Y:.*]] = channel.thread_id y : i32
// CHECK: %[[Z:.*]] = channel.grid_dim z : i32
// CHECK: %[[W:.*]] = channel.block_dim x : i32
// CHECK: channel.block_sync
// CHECK: llvm.add %[[X]], %[[Y]]
llvm.func @k.block(%p: !llvm.ptr, %s: !llvm.ptr {llvm.byval = !llvm.struct<(i64, i64)>}, %v: !llvm.ptr {llvm.byval = vector<16xf32>}, %b: i1 {llvm.zeroext}) attributes {passthrough = [["cilk2gpu-block-body", "k"], ["cilk2gpu-origin", "k"]]} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %x = llvm.call @__cilk2gpu_block_id(%zero) : (i32) -> i32
  %y = llvm.call @__cilk2gpu_thread_id(%one) : (i32) -> i32
  %z = llvm.call @__cilk2gpu_grid_dim(%two) : (i32) -> i32
  %w = llvm.call @__cilk2gpu_block_dim(%zero) : (i32) -> i32
  llvm.call @__cilk2gpu_block_sync() : () -> ()
  %a = llvm.add %x, %y : i32
  %c = llvm.add %z, %w : i32
  %sum = llvm.add %a, %c : i32
  llvm.store %sum, %p : i32, !llvm.ptr
  llvm.return
}

llvm.func @divergent.block(%n: i32) attributes {passthrough = [["cilk2gpu-block-body", "divergent"], ["cilk2gpu-origin", "divergent"]]} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %x = llvm.call @__cilk2gpu_thread_id(%zero) : (i32) -> i32
  %some = llvm.icmp "slt" %x, %n : i32
  llvm.cond_br %some, ^wait, ^end
^wait:
  // REMARK: [[@LINE+1]]:3: remark: kernel 'divergent' runs thread by thread as an ordinary function: a condition before wf::SyncThreads depends on the thread; call it where all threads of a block come
  llvm.call @__cilk2gpu_block_sync() : () -> ()
  llvm.br ^end
^end:
  llvm.return
}
