; Tests that a short function is inlined into a task, and that a call that is spawned stays a call.
; RUN: cilk-llvm-opt --passes=cilk-inline-short-calls %s | FileCheck %s
declare void @__cilk2gpu_spawn_begin(i32, ptr)
declare void @__cilk2gpu_spawn_end(i32)
declare void @__cilk2gpu_sync()

define internal i32 @short(i32 %n) {
  %sum = add i32 %n, 1
  ret i32 %sum
}

; CHECK-LABEL: define i32 @task
; CHECK: call i32 @short(i32 5)
; CHECK-NOT: call i32 @short
; CHECK: add i32 %n, 1
define i32 @task(i32 %n) {
  %slot = alloca i32
  call void @__cilk2gpu_spawn_begin(i32 0, ptr %slot)
  %spawned = call i32 @short(i32 5)
  store i32 %spawned, ptr %slot
  call void @__cilk2gpu_spawn_end(i32 0)
  %called = call i32 @short(i32 %n)
  call void @__cilk2gpu_sync()
  ret i32 %called
}
