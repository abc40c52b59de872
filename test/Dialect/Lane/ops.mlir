// Tests that every operation of the lane dialect is printed as it is parsed.
// RUN: cilk-opt %s | cilk-opt | FileCheck %s

// CHECK-LABEL: llvm.func @f
llvm.func @f() attributes {passthrough = ["cilk2gpu-lane-kernel"]} {
  // CHECK: %[[N:.*]] = lane.deq 0 : i32
  %n = lane.deq 0 : i32
  // CHECK: %[[P:.*]] = lane.address 1 size 24
  %p = lane.address 1 size 24
  // CHECK: %[[X:.*]] = lane.destination %[[N]]
  %x = lane.destination %n
  // CHECK: %[[FRAME:.*]] = lane.frame
  %frame = lane.frame
  // CHECK: lane.place %[[FRAME]] words 2
  %place = lane.place %frame words 2
  // CHECK: lane.spawn 0
  %first = lane.spawn 0
  // CHECK: lane.spawn 1(%[[N]], %[[X]] : i32, !llvm.ptr)
  %second = lane.spawn 1 (%n, %x : i32, !llvm.ptr)
  // CHECK: lane.spawn 2(%[[P]], %[[N]] : !llvm.ptr, i32) fields [!llvm.struct<(i64, i64, i64)>, i32]
  %third = lane.spawn 2 (%p, %n : !llvm.ptr, i32) fields [!llvm.struct<(i64, i64, i64)>, i32]
  // CHECK: lane.publish 1 %[[FRAME]]
  lane.publish 1 %frame
  // CHECK: lane.yield %[[FRAME]] at %[[N]]
  lane.yield %frame at %n
  // CHECK: lane.free %[[FRAME]]
  lane.free %frame
  // CHECK: lane.result %[[N]] to %[[X]] : i32
  lane.result %n to %x : i32
  // CHECK: lane.result %[[FRAME]], %[[P]] to %[[X]] : !llvm.ptr, !llvm.ptr
  lane.result %frame, %p to %x : !llvm.ptr, !llvm.ptr
  // CHECK: lane.accumulate add %[[N]] into %[[X]] : i32
  lane.accumulate add %n into %x : i32
  // CHECK: %[[T:.*]] = lane.thread
  %t = lane.thread
  // CHECK: lane.barrier
  lane.barrier
  llvm.return
}
