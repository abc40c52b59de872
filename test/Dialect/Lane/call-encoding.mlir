// Tests that lane operations become calls, and that the calls become the same operations again.
// RUN: cilk-opt %s --lane-encode-calls | FileCheck %s
// RUN: cilk-opt %s --lane-encode-calls --lane-decode-calls > %t.again
// RUN: cilk-opt %s > %t.once
// RUN: diff %t.once %t.again

// Taking a frame changes nothing but channels. An element is read at the address that its spawn names.
// CHECK-DAG: llvm.func @cilk2gpu.lane.deq.0..f() -> i32 attributes {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, {{.*}}>, no_unwind, will_return}
// CHECK-DAG: llvm.func @cilk2gpu.lane.frame..f() -> !llvm.ptr attributes {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = readwrite
// CHECK-DAG: llvm.func @cilk2gpu.lane.spawn.2..f(!llvm.ptr {llvm.byval = !llvm.struct<(i64, i64, i64)>}, i32) -> i1 attributes {memory_effects = #llvm.memory_effects<other = none, argMem = read, inaccessibleMem = readwrite
// CHECK-DAG: llvm.func @cilk2gpu.lane.result.0..f(i32, !llvm.ptr) attributes {memory_effects = #llvm.memory_effects<other = none, argMem = write, inaccessibleMem = none
// Threads meet at a barrier: it may change all memory, and stays on its path.
// CHECK-DAG: llvm.func @cilk2gpu.lane.barrier..f() attributes {convergent, no_unwind, will_return}
// CHECK-LABEL: llvm.func @f()
llvm.func @f() attributes {passthrough = ["cilk2gpu-lane-kernel"]} {
  // CHECK: %[[N:.*]] = llvm.call @cilk2gpu.lane.deq.0..f() : () -> i32
  %n = lane.deq 0 : i32
  // CHECK: %[[P:.*]] = llvm.call @cilk2gpu.lane.address.1.24..f() : () -> !llvm.ptr
  %p = lane.address 1 size 24
  // CHECK: %[[X:.*]] = llvm.call @cilk2gpu.lane.destination..f(%[[N]]) : (i32) -> !llvm.ptr
  %x = lane.destination %n
  // CHECK: %[[FRAME:.*]] = llvm.call @cilk2gpu.lane.frame..f() : () -> !llvm.ptr
  %frame = lane.frame
  // CHECK: llvm.call @cilk2gpu.lane.place.2..f(%[[FRAME]]) : (!llvm.ptr) -> !llvm.ptr
  %place = lane.place %frame words 2
  // CHECK: llvm.call @cilk2gpu.lane.spawn.1..f(%[[N]], %[[X]]) : (i32, !llvm.ptr) -> i1
  %second = lane.spawn 1 (%n, %x : i32, !llvm.ptr)
  // CHECK: llvm.call @cilk2gpu.lane.spawn.2..f(%[[P]], %[[N]]) : (!llvm.ptr {llvm.byval = !llvm.struct<(i64, i64, i64)>}, i32) -> i1
  %third = lane.spawn 2 (%p, %n : !llvm.ptr, i32) fields [!llvm.struct<(i64, i64, i64)>, i32]
  // CHECK: llvm.call @cilk2gpu.lane.publish.1..f(%[[FRAME]]) : (!llvm.ptr) -> ()
  lane.publish 1 %frame
  // CHECK: llvm.call @cilk2gpu.lane.yield..f(%[[FRAME]], %[[N]]) : (!llvm.ptr, i32) -> ()
  lane.yield %frame at %n
  // CHECK: llvm.call @cilk2gpu.lane.free..f(%[[FRAME]]) : (!llvm.ptr) -> ()
  lane.free %frame
  // CHECK: llvm.call @cilk2gpu.lane.result.0..f(%[[N]], %[[X]]) : (i32, !llvm.ptr) -> ()
  lane.result %n to %x : i32
  // CHECK: llvm.call @cilk2gpu.lane.result.1..f(%[[FRAME]], %[[P]], %[[X]]) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  lane.result %frame, %p to %x : !llvm.ptr, !llvm.ptr
  // CHECK: llvm.call @cilk2gpu.lane.accumulate.umax.0..f(%[[N]], %[[X]]) : (i32, !llvm.ptr) -> ()
  lane.accumulate umax %n into %x : i32
  // CHECK: %[[T:.*]] = llvm.call @cilk2gpu.lane.thread..f() : () -> i32
  %t = lane.thread
  // CHECK: llvm.store %[[T]], %[[X]]
  llvm.store %t, %x : i32, !llvm.ptr
  // CHECK: llvm.call @cilk2gpu.lane.barrier..f() : () -> ()
  lane.barrier
  llvm.return
}
