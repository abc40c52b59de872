; Tests that calls through an alias become calls of its function, but not where the linker may take another one.
; RUN: cilk-llvm-opt --passes=cilk-resolve-aliases %s | FileCheck %s
@alias = alias void (), ptr @task
@weak = weak alias void (), ptr @task

declare void @__cilk2gpu_sync()

; CHECK-LABEL: define void @task
; CHECK: call void @task()
; CHECK: call void @weak()
define void @task() {
  call void @alias()
  call void @weak()
  call void @__cilk2gpu_sync()
  ret void
}
