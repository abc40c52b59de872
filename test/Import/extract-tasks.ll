; Tests that Cilk functions alone keep their bodies, and that their callees are marked as the unit's own or as foreign.
; RUN: cilk-llvm-opt --passes=cilk-extract-tasks %s | FileCheck %s
; CHECK: @variable = external dso_local global i32
@variable = internal global i32 3
; CHECK: @table = external global ptr
@table = global ptr @task

declare void @__cilk2gpu_sync()
; CHECK: declare void @elsewhere() #[[FOREIGN:[0-9]+]]
declare void @elsewhere()

; CHECK: declare dso_local void @own() #[[OWN:[0-9]+]]
define internal void @own() {
  ret void
}

; CHECK: define void @task() #[[TASK:[0-9]+]]
define void @task() noinline {
  ; CHECK-NEXT: %local = alloca i32
  ; CHECK-NEXT: call void @own()
  %local = alloca i32
  call void @llvm.lifetime.start.p0(ptr %local)
  call void @own()
  call void @elsewhere()
  call void @__cilk2gpu_sync()
  ret void
}
; CHECK-DAG: attributes #[[FOREIGN]] = { "cilk2gpu-foreign" }
; CHECK-DAG: attributes #[[OWN]] = { "cilk2gpu-local" }
; CHECK-DAG: attributes #[[TASK]] = { "cilk2gpu-address-taken" "cilk2gpu-origin"="task" "cilk2gpu-task" }
