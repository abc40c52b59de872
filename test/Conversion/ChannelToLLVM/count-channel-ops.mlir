// Tests that kernels are prepared for counting instructions: a marker at each lane's begin and at each channel operation.
// RUN: cilk-opt %s --convert-channel-to-llvm=counts=true | FileCheck %s
// RUN: cilk-opt %s --convert-channel-to-llvm | FileCheck %s --check-prefix=PLAIN
// PLAIN-NOT: __cilk2gpu_count

module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<64> : vector<4xi64>, i32 = dense<32> : vector<2xi64>, i64 = dense<64> : vector<2xi64>>} {

channel.graph @g {
  channel.stack @f (i32, !llvm.ptr) {linkage = #llvm.linkage<external>}
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [] publishes []
}

// CHECK-LABEL: llvm.func internal @f.k0.lane(
// CHECK-NOT: always_inline
// CHECK-SAME: passthrough = ["cilk2gpu-counted-lane"]
// CHECK: llvm.call @__cilk2gpu_count_channel()
// CHECK: llvm.call @__cilk2gpu_count_channel()
// CHECK-NOT: llvm.call @__cilk2gpu_count_channel()
// CHECK-LABEL: llvm.func internal @f.k0(%arg0: !llvm.ptr)
// CHECK: llvm.call @__cilk2gpu_count_lane(%arg0)
// CHECK: llvm.invoke @f.k0.lane
llvm.func internal @f.k0() attributes {channel.kernel = @g::@f.k0} {
  %in, %n, %dst = channel.deq @g::@f : i32, !llvm.ptr
  channel.tfree @g::@f %in : !channel.element
  llvm.store %n, %dst : i32, !llvm.ptr
  llvm.return
}
}
