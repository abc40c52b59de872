; Tests that a function that only the list of addresses for devices names becomes weak, so that the linker does not
; require it.
; RUN: cilk-llvm-opt --passes=cilk-weaken-listed %s | FileCheck %s
@__cilk2gpu_addresses = internal constant [2 x ptr] [ptr @listed, ptr @called]

; CHECK-DAG: declare extern_weak void @listed()
declare void @listed()
; CHECK-DAG: declare void @called()
declare void @called()

define void @function() {
  call void @called()
  ret void
}
!cilk2gpu.embedded = !{}
