// Tests the device form of kernels: a lane's channel operations are calls of the device runtime.
// RUN: cilk-opt %s --convert-channel-to-llvm=device-symbols=P_ | FileCheck %s

module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<64> : vector<4xi64>, i32 = dense<32> : vector<2xi64>, i64 = dense<64> : vector<2xi64>>} {

channel.graph @g {
  channel.stack @f (i32, !llvm.ptr) {linkage = #llvm.linkage<external>}
  channel.frame @f.frame of @f size 24 align 8
  channel.stack @f.1 (!llvm.ptr) resumes @f
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [@f] publishes [@f.1]
  channel.kernel @f.k1 segment 1 of @f body @f.k1 consumes @f.1 spawns [] publishes []
  channel.depend @f.1 on [@f] drained below
}

// CHECK-LABEL: llvm.func internal @f.k0.device(
// CHECK-SAME: %[[WAVE:.*]]: !llvm.ptr, %[[LANE:.*]]: i64, %[[SITE:.*]]: i32
// CHECK-SAME: passthrough = {{\[}}["cilk2gpu-kernel", "P_0_f_k0"], "cilk2gpu-resumes"]
// CHECK: %[[TAKEN:.*]] = llvm.call @__cilk2gpu_device_frame(%[[WAVE]])
// CHECK: %[[FRAME:.*]] = llvm.call @__cilk2gpu_device_global(%[[TAKEN]])
// CHECK: %[[INDEX:.*]] = llvm.call @__cilk2gpu_device_talloc(%[[WAVE]], %{{.*}}) : (!llvm.ptr, i32) -> i64
// CHECK: %[[REFUSED:.*]] = llvm.mlir.constant(-1 : i64)
// CHECK: %[[OK:.*]] = llvm.icmp "ne" %[[INDEX]], %[[REFUSED]]
// CHECK: llvm.cond_br %[[OK]]
// The element is filled at its index.
// CHECK: llvm.getelementptr %{{.*}}[%[[INDEX]]] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK: llvm.call @__cilk2gpu_device_publish(%[[WAVE]], %{{.*}}, %[[FRAME]])
// CHECK: llvm.call @__cilk2gpu_device_yield(%[[WAVE]], %[[FRAME]], %{{.*}})
// CHECK-LABEL: llvm.func internal @f.k0.device.host(
// CHECK: llvm.invoke @f.k0.device(
llvm.func internal @f.k0() attributes {channel.kernel = @g::@f.k0} {
  %in, %n, %dst = channel.deq @g::@f : i32, !llvm.ptr
  channel.tfree @g::@f %in : !channel.element
  %frame = channel.talloc @g::@f.frame : !llvm.ptr
  %ce, %ok = channel.try_talloc @g::@f
  llvm.cond_br %ok, ^granted, ^refused
^granted:
  channel.enq @g::@f %ce (%n, %dst : i32, !llvm.ptr)
  %post = channel.talloc @g::@f.1 : !channel.element
  channel.enq @g::@f.1 %post (%frame : !llvm.ptr)
  llvm.return
^refused:
  channel.yield %frame at 1
  llvm.return
}

// CHECK-LABEL: llvm.func internal @f.k1.device(
// The lanes together fold values into an accumulator.
// CHECK: %[[SMALL:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i32
// CHECK: %[[LARGE:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
// CHECK: %[[WIDE:.*]] = llvm.zext %[[SMALL]] : i32 to i64
// CHECK: %[[MAX:.*]] = llvm.mlir.constant(4 : i32)
// CHECK: %[[BYTES:.*]] = llvm.mlir.constant(4 : i32)
// CHECK: llvm.call @__cilk2gpu_device_fold(%[[FRAME:.*]], %[[WIDE]], %[[MAX]], %[[BYTES]]) : (!llvm.ptr, i64, i32, i32) -> ()
// CHECK: %[[XOR:.*]] = llvm.mlir.constant(3 : i32)
// CHECK: llvm.call @__cilk2gpu_device_fold(%[[FRAME]], %[[LARGE]], %[[XOR]], %{{.*}})
// They also fold values that a child adds to, or subtracts from, a variable of its parent.
// CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
// CHECK: %[[LESS:.*]] = llvm.sub %[[ZERO]], %[[SMALL]] : i32
// CHECK: %[[WIDELESS:.*]] = llvm.zext %[[LESS]] : i32 to i64
// CHECK: %[[ADD:.*]] = llvm.mlir.constant(0 : i32)
// CHECK: llvm.call @__cilk2gpu_device_fold(%[[FRAME]], %[[WIDELESS]], %[[ADD]], %{{.*}})
// A program's own atomic operation stays.
// CHECK: llvm.atomicrmw add %{{.*}}, %[[SMALL]] seq_cst : !llvm.ptr, i32
// CHECK: llvm.call @__cilk2gpu_device_tfree(
llvm.func internal @f.k1() attributes {channel.kernel = @g::@f.k1} {
  %in, %frame = channel.deq @g::@f.1 : !llvm.ptr
  %small = llvm.load %frame : !llvm.ptr -> i32
  %large = llvm.load %frame : !llvm.ptr -> i64
  %old = llvm.atomicrmw max %frame, %small monotonic {cilk.accumulate} : !llvm.ptr, i32
  %older = llvm.atomicrmw _xor %frame, %large monotonic {cilk.accumulate} : !llvm.ptr, i64
  %update = llvm.atomicrmw sub %frame, %small monotonic {cilk.update} : !llvm.ptr, i32
  %oldest = llvm.atomicrmw add %frame, %small seq_cst : !llvm.ptr, i32
  channel.tfree @g::@f.1 %in : !channel.element
  channel.tfree @g::@f.frame %frame : !llvm.ptr
  llvm.return
}

// The descriptor's kernels name the device forms.
// CHECK: llvm.mlir.global internal constant @__cilk2gpu_task_f.kernels
// CHECK: llvm.mlir.addressof @f.k0.device.host
// CHECK: llvm.mlir.addressof @__cilk2gpu_task_f.image0
}
