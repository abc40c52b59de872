; Tests that a function is marked if nothing throws that it reaches, that a function which calls unknown code is not, and that
; code for exceptions that nothing throws disappears from Cilk functions.
; RUN: cilk-llvm-opt --passes=cilk-mark-unthrowing %s | FileCheck %s
declare void @__cilk2gpu_sync() nounwind
declare void @unknown()

; CHECK: define dso_local void @quiet() #[[QUIET:[0-9]+]]
define dso_local void @quiet() {
  call void @quiet()
  call void @__cilk2gpu_sync()
  ret void
}

; CHECK: define dso_local void @loud() {
define dso_local void @loud() {
  call void @unknown()
  call void @__cilk2gpu_sync()
  ret void
}

declare i32 @__gxx_personality_v0(...)
declare void @__cilk2gpu_spawn_begin(i32, ptr) nounwind
declare void @__cilk2gpu_spawn_end(i32) nounwind
declare void @__cilk2gpu_check(i32)

; An ordinary function counts, too.
; CHECK: define dso_local void @ordinary() #[[QUIET]]
define dso_local void @ordinary() {
  call void @quiet()
  ret void
}

; A cleanup that calls unknown code is never reached, and the check never throws.
; CHECK: define dso_local void @cleans() #[[QUIET]] {
; CHECK-NOT: invoke
; CHECK-NOT: __cilk2gpu_check
; CHECK: }
define dso_local void @cleans() personality ptr @__gxx_personality_v0 {
  call void @__cilk2gpu_spawn_begin(i32 0, ptr null)
  invoke void @ordinary() to label %spawned unwind label %pad
spawned:
  call void @__cilk2gpu_spawn_end(i32 0)
  call void @__cilk2gpu_sync()
  invoke void @__cilk2gpu_check(i32 -1) to label %done unwind label %pad
done:
  ret void
pad:
  %landed = landingpad { ptr, i32 } cleanup
  call void @unknown()
  resume { ptr, i32 } %landed
}

; A child that may throw makes its check throw.
; CHECK: define dso_local void @checks()
; CHECK-NOT: #[[QUIET]]
; CHECK-SAME: {
; CHECK: invoke void @__cilk2gpu_check(
define dso_local void @checks() personality ptr @__gxx_personality_v0 {
  call void @__cilk2gpu_spawn_begin(i32 0, ptr null)
  call void @unknown()
  call void @__cilk2gpu_spawn_end(i32 0)
  call void @__cilk2gpu_sync()
  invoke void @__cilk2gpu_check(i32 -1) to label %done unwind label %pad
done:
  ret void
pad:
  %landed = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %landed
}
; CHECK: attributes #[[QUIET]] = { nounwind }
