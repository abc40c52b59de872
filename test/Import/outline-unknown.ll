; Tests that an instruction that MLIR does not have moves into a function of its own, with its constants.
; RUN: cilk-llvm-opt --passes=cilk-outline-unknown %s | FileCheck %s
declare void @__cilk2gpu_sync()

; CHECK-LABEL: define i24 @task
; CHECK: call i24 @__cilk2gpu_outlined(ptr %p)
define i24 @task(ptr %p) {
  %old = atomicrmw add ptr %p, i24 3 monotonic
  call void @__cilk2gpu_sync()
  ret i24 %old
}
; CHECK: define internal i24 @__cilk2gpu_outlined(ptr [[P:%.*]]) #[[INLINED:[0-9]+]]
; CHECK: atomicrmw add ptr [[P]], i24 3 monotonic
; CHECK: attributes #[[INLINED]] = { alwaysinline nounwind }
