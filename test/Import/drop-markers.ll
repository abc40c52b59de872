; Tests that no marker is left for code generation to report.
; RUN: cilk-llvm-opt --passes=cilk-drop-markers %s | FileCheck %s --implicit-check-not=__cilk2gpu
declare void @__cilk2gpu_spawn_begin(i32, ptr)
declare void @__cilk2gpu_spawn_end(i32)
declare void @__cilk2gpu_sync()

; CHECK: define void @task() {
; CHECK-NEXT: call void @task()
; CHECK-NEXT: ret void
define void @task() "cilk2gpu-task" {
  call void @__cilk2gpu_spawn_begin(i32 0, ptr null)
  call void @task()
  call void @__cilk2gpu_spawn_end(i32 0)
  call void @__cilk2gpu_sync()
  ret void
}

declare void @__cilk2gpu_return_check(ptr)
declare i32 @__gxx_personality_v0(...)

; A marker that may unwind ends its block, so a branch takes its place.
; CHECK: define void @unwinds() {{.*}}{
; CHECK-NEXT: br label %done
define void @unwinds() personality ptr @__gxx_personality_v0 {
  invoke void @__cilk2gpu_return_check(ptr null) to label %done unwind label %lands
done:
  ret void
lands:
  %pad = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %pad
}
