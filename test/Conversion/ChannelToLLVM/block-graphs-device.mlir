// Tests that a body of a block graph gets a function for one thread if code for GPUs is asked for, and that its record names
// that function.
// RUN: cilk-opt %s --convert-channel-to-llvm=device-symbols=k | FileCheck %s
// RUN: cilk-opt %s --convert-channel-to-llvm | FileCheck %s --check-prefix=HOST
// HOST-NOT: .one

module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<64> : vector<4xi64>, i32 = dense<32> : vector<2xi64>, i64 = dense<64> : vector<2xi64>>} {
channel.graph @g {
  channel.blocks @b fields(!llvm.ptr) body @b.block threads [16, 1, 1] offsets = [[-1, 0, 0]]
}

// CHECK-LABEL: llvm.func internal @b.block.one(
// CHECK-SAME: %[[PLACE:.*]]: !llvm.ptr, %[[ARGUMENTS:.*]]: !llvm.ptr) attributes {passthrough = [{{.*}}"cilk2gpu-pointed-at", {{.*}}"cilk2gpu-block-call"
// CHECK: %[[FIELD:.*]] = llvm.load
// CHECK: %[[X:.*]] = llvm.load
// CHECK-NOT: llvm.cond_br
// CHECK: llvm.call @b.block.thread(%[[PLACE]], %[[X]], %{{.*}}, %{{.*}}, %[[FIELD]])
// CHECK: llvm.mlir.addressof @b.block.one
llvm.func @b.block(%p: !llvm.ptr) attributes {channel.blocks = @g::@b} {
  %x = channel.thread_id x : i32
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.return
}
}
