// Tests the function that runs a task with all that it spawns. It calls the serial elision, and delivers the result, into an
// accumulator where results are combined. By-value fields that were split are joined again. Descriptors point at the function.
// RUN: cilk2gpu %S/Inputs/elided.c -O2 --emit=channel -o - | FileCheck %s
// RUN: cilk2gpu %S/Inputs/elided.c -O2 --emit=llvm -o - | FileCheck %s --check-prefix=LLVM
// RUN: cilk2gpu %S/Inputs/elided.c -O2 -fcilk-lanes=simd -o %t && env CILK2GPU_ELIDE=always CILK2GPU_STATS=- %t 2>&1 | FileCheck %s --check-prefix=STATS

// CHECK-LABEL: llvm.func internal @fib.acc.elided()
// CHECK: %[[E:.*]], %[[F:.*]]:2 = channel.deq @cilk::@fib.acc : i64, i32
// CHECK: %[[D:.*]] = channel.address %[[F]]#1
// CHECK: %[[R:.*]] = llvm.call @fib.serial(%[[F]]#0)
// CHECK: llvm.atomicrmw add %[[D]], %[[R]] monotonic {cilk.accumulate}

// CHECK-LABEL: llvm.func internal @search.elided()
// CHECK-SAME: channel.elided = @cilk::@search
// CHECK: %[[E:.*]], %[[F:.*]]:4 = channel.deq @cilk::@search : i64, i32, i32, !llvm.ptr
// CHECK: %[[R:.*]] = llvm.call @search.serial(%[[F]]#0, %[[F]]#1, %[[F]]#2) {no_inline}
// CHECK: channel.tfree @cilk::@search %[[E]]
// CHECK: channel.result %[[R]] to %[[F]]#3 : i1

// LLVM: @__cilk2gpu_task_fib.kernels = {{.*}}ptr @fib.elided
// LLVM: define internal void @fib.elided(ptr

// STATS: elided {{ *[1-9][0-9]*}} tasks
