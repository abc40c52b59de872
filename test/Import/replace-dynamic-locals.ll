; Tests that storage of variable size in a task comes from the runtime, and that main keeps its stack.
; RUN: cilk-llvm-opt --passes=cilk-replace-dynamic-locals %s | FileCheck %s
declare void @use(ptr)

; CHECK-LABEL: define void @task
; CHECK-NOT: alloca i8, i64 %n
; CHECK: call ptr @__cilk2gpu_local(
; CHECK: call void @__cilk2gpu_sync()
; CHECK: call void @__cilk2gpu_release(
define void @task(i64 %n) "cilk2gpu-task" {
  %storage = alloca i8, i64 %n
  call void @use(ptr %storage)
  ret void
}

; CHECK-LABEL: define i32 @main
; CHECK: alloca i8, i64 %n
define i32 @main(i64 %n) "cilk2gpu-task" {
  %storage = alloca i8, i64 %n
  call void @use(ptr %storage)
  ret i32 0
}
