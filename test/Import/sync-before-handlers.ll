; Tests that children end before a handler of their parent runs: the exception is held and thrown again behind a sync.
; RUN: cilk-llvm-opt --passes=cilk-sync-before-handlers %s | FileCheck %s
declare void @__cilk2gpu_spawn_begin(i32, ptr)
declare void @__cilk2gpu_spawn_end(i32)
declare void @__cilk2gpu_sync()
declare i32 @__gxx_personality_v0(...)
declare ptr @__cxa_begin_catch(ptr)
declare void @__cxa_end_catch()
declare void @child()
declare void @work()

; CHECK-LABEL: define void @task
; CHECK: invoke void @work()
; CHECK-NEXT: to label %{{.*}} unwind label %[[HOLDING:.*]]
; CHECK: [[HOLDING]]:
; CHECK-NEXT: landingpad
; CHECK: %[[HELD:.*]] = call ptr @__cilk2gpu_hold_exception(
; CHECK-NEXT: call void @__cilk2gpu_sync()
; CHECK-NEXT: invoke void @__cilk2gpu_throw_held(ptr %[[HELD]])
; CHECK-NEXT: unwind label %handler
define void @task() personality ptr @__gxx_personality_v0 {
  call void @__cilk2gpu_spawn_begin(i32 0, ptr null)
  call void @child()
  call void @__cilk2gpu_spawn_end(i32 0)
  invoke void @work() to label %next unwind label %handler
handler:
  %pad = landingpad { ptr, i32 } catch ptr null
  %exception = extractvalue { ptr, i32 } %pad, 0
  %object = call ptr @__cxa_begin_catch(ptr %exception)
  call void @__cxa_end_catch()
  br label %next
next:
  call void @__cilk2gpu_sync()
  ret void
}
