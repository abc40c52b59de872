; Tests that a spawn with a conversion behind its call moves, with the call, into a task function of its own, and that a
; plain spawn stays as it is.
; RUN: cilk-llvm-opt --passes=cilk-normalise-spawns %s | FileCheck %s
declare void @__cilk2gpu_spawn_begin(i32, ptr)
declare void @__cilk2gpu_spawn_end(i32)
declare i32 @child(i32)

; CHECK-LABEL: define void @task
; CHECK: call void @__cilk2gpu_spawn_begin(i32 0, ptr %narrow)
; CHECK-NEXT: %plain = call i32 @child(i32 %n)
; CHECK-NEXT: store i32 %plain, ptr %narrow
; CHECK-NEXT: call void @__cilk2gpu_spawn_end(i32 0)
; CHECK: call void @__cilk2gpu_spawn_begin(i32 1, ptr %wide)
; CHECK-NEXT: call void @task.spawn0(i32 %n, ptr %wide)
; CHECK-NEXT: call void @__cilk2gpu_spawn_end(i32 1)
define void @task(i32 %n) {
  %narrow = alloca i32
  %wide = alloca i64
  call void @__cilk2gpu_spawn_begin(i32 0, ptr %narrow)
  %plain = call i32 @child(i32 %n)
  store i32 %plain, ptr %narrow
  call void @__cilk2gpu_spawn_end(i32 0)
  call void @__cilk2gpu_spawn_begin(i32 1, ptr %wide)
  %result = call i32 @child(i32 %n)
  %converted = sext i32 %result to i64
  store i64 %converted, ptr %wide
  call void @__cilk2gpu_spawn_end(i32 1)
  ret void
}
; CHECK-LABEL: define internal void @task.spawn0
; CHECK: call i32 @child
; CHECK: sext i32
; CHECK: store i64
