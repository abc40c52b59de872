// Tests the conversion of marker calls: spawns with and without results, syncs, main, and plain calls.
// RUN: cilk-opt %s --convert-markers-to-cilk --split-input-file --verify-diagnostics | FileCheck %s

llvm.func @__cilk2gpu_spawn_begin(i32, !llvm.ptr)
llvm.func @__cilk2gpu_spawn_end(i32)
llvm.func @__cilk2gpu_sync()
llvm.func @plain(i32)

// CHECK-NOT: __cilk2gpu
// CHECK-LABEL: llvm.func @fib
// CHECK-SAME: cilk.task
// CHECK: cilk.spawn @fib(%arg0, %arg1) into %arg1 : (i32, !llvm.ptr) -> i32
// CHECK-NEXT: llvm.store
// CHECK-NEXT: cilk.spawn @plain(%arg0) : (i32) -> ()
// CHECK-NEXT: cilk.sync
// CHECK-NEXT: %[[R:.*]] = cilk.call @fib(%arg0, %arg1)
// CHECK-NEXT: llvm.call @plain(%[[R]])
llvm.func @fib(%n: i32, %x: !llvm.ptr) -> i32 {
  %id0 = llvm.mlir.constant(0 : i32) : i32
  %id1 = llvm.mlir.constant(1 : i32) : i32
  %null = llvm.mlir.zero : !llvm.ptr
  llvm.call @__cilk2gpu_spawn_begin(%id0, %x) : (i32, !llvm.ptr) -> ()
  %r = llvm.call @fib(%n, %x) : (i32, !llvm.ptr) -> i32
  llvm.store %r, %x : i32, !llvm.ptr
  llvm.call @__cilk2gpu_spawn_end(%id0) : (i32) -> ()
  llvm.store %n, %x : i32, !llvm.ptr
  llvm.call @__cilk2gpu_spawn_begin(%id1, %null) : (i32, !llvm.ptr) -> ()
  llvm.call @plain(%n) : (i32) -> ()
  llvm.call @__cilk2gpu_spawn_end(%id1) : (i32) -> ()
  llvm.call @__cilk2gpu_sync() : () -> ()
  %s = llvm.call @fib(%n, %x) : (i32, !llvm.ptr) -> i32
  llvm.call @plain(%s) : (i32) -> ()
  llvm.return %s : i32
}

// main is never split: its plain calls stay calls.
// CHECK-LABEL: llvm.func @main
// CHECK-NOT: cilk.task
// CHECK: llvm.call @fib
// CHECK: cilk.sync
llvm.func @main(%n: i32, %x: !llvm.ptr) {
  %r = llvm.call @fib(%n, %x) : (i32, !llvm.ptr) -> i32
  llvm.call @__cilk2gpu_sync() : () -> ()
  llvm.return
}

// A function that the import marks is a task without markers.
// CHECK-LABEL: llvm.func @wrapper
// CHECK-SAME: cilk.task
llvm.func @wrapper() attributes {passthrough = ["cilk2gpu-task"]} {
  llvm.return
}

// The update that is the reason for a task is marked; other atomic operations belong to the program.
// CHECK-LABEL: llvm.func @update
// CHECK: llvm.atomicrmw sub %arg0, %{{.*}} monotonic {cilk.update}
llvm.func @update(%x: !llvm.ptr) attributes {passthrough = ["cilk2gpu-task", "cilk2gpu-update"]} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %old = llvm.atomicrmw sub %x, %one monotonic : !llvm.ptr, i32
  llvm.return
}
// CHECK-LABEL: llvm.func @own
// CHECK-NOT: cilk.update
llvm.func @own(%x: !llvm.ptr) attributes {passthrough = ["cilk2gpu-task"]} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %old = llvm.atomicrmw sub %x, %one monotonic : !llvm.ptr, i32
  llvm.return
}

// -----

llvm.func @__cilk2gpu_spawn_begin(i32, !llvm.ptr)
llvm.func @__cilk2gpu_spawn_end(i32)
llvm.func @g()
llvm.func @control_flow(%x: !llvm.ptr) {
  %id = llvm.mlir.constant(0 : i32) : i32
  // expected-error@+1 {{a spawn's begin marker must be followed by the spawned call and its end marker in one block}}
  llvm.call @__cilk2gpu_spawn_begin(%id, %x) : (i32, !llvm.ptr) -> ()
  llvm.br ^next
^next:
  llvm.call @g() : () -> ()
  llvm.call @__cilk2gpu_spawn_end(%id) : (i32) -> ()
  llvm.return
}

// -----

llvm.func @__cilk2gpu_spawn_begin(i32, !llvm.ptr)
llvm.func @__cilk2gpu_spawn_end(i32)
llvm.func @pointer(%x: !llvm.ptr) {
  %id = llvm.mlir.constant(0 : i32) : i32
  llvm.call @__cilk2gpu_spawn_begin(%id, %x) : (i32, !llvm.ptr) -> ()
  // expected-error@+1 {{a spawned call must name its callee; found a call through a pointer}}
  llvm.call %x() : !llvm.ptr, () -> ()
  llvm.call @__cilk2gpu_spawn_end(%id) : (i32) -> ()
  llvm.return
}

// -----

llvm.func @__cilk2gpu_spawn_begin(i32, !llvm.ptr)
llvm.func @__cilk2gpu_spawn_end(i32)
llvm.func @g() -> i32
llvm.func @more(%x: !llvm.ptr) {
  %id = llvm.mlir.constant(0 : i32) : i32
  llvm.call @__cilk2gpu_spawn_begin(%id, %x) : (i32, !llvm.ptr) -> ()
  // expected-error@+1 {{only the store of its result may follow a spawned call before the end marker}}
  %r = llvm.call @g() : () -> i32
  %s = llvm.add %r, %r : i32
  llvm.store %s, %x : i32, !llvm.ptr
  llvm.call @__cilk2gpu_spawn_end(%id) : (i32) -> ()
  llvm.return
}
