; Tests that an instruction that MLIR does not have moves into a function of its own, with its constants.
; RUN: cilk-llvm-opt --passes=cilk-outline-unknown %s | FileCheck %s
declare void @__cilk2gpu_sync()

; CHECK-LABEL: define i128 @task
; CHECK: call i128 @__cilk2gpu_outlined(ptr %p)
define i128 @task(ptr %p) {
  %old = atomicrmw add ptr %p, i128 3 monotonic
  call void @__cilk2gpu_sync()
  ret i128 %old
}
; CHECK: define internal i128 @__cilk2gpu_outlined(ptr [[P:%.*]]) #[[INLINED:[0-9]+]]
; CHECK: atomicrmw add ptr [[P]], i128 3 monotonic
; CHECK: attributes #[[INLINED]] = { alwaysinline nounwind }
