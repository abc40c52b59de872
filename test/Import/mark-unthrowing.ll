; Tests that a recursion that calls nothing that throws is marked, and that a function which calls unknown code is not.
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
; CHECK: attributes #[[QUIET]] = { nounwind }
