; Tests that an invoke that only cleans up becomes a call, and that a return sync becomes a sync.
; RUN: cilk-llvm-opt --passes=cilk-prepare-unwinding %s | FileCheck %s
declare void @__cilk2gpu_sync()
declare void @__cilk2gpu_return_sync(ptr)
declare i32 @__gxx_personality_v0(...)
declare void @work()
declare void @destroy()

; CHECK: define void @task() {
; CHECK-NEXT: call void @work()
; CHECK-NOT: destroy
; CHECK: call void @__cilk2gpu_sync()
; CHECK: ret void
define void @task() personality ptr @__gxx_personality_v0 {
  invoke void @work() to label %next unwind label %cleanup
next:
  call void @__cilk2gpu_sync()
  call void @__cilk2gpu_return_sync(ptr null)
  ret void
cleanup:
  %pad = landingpad { ptr, i32 } cleanup
  call void @destroy()
  resume { ptr, i32 } %pad
}
