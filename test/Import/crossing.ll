; Tests that a call through another type than its callee's goes through MLIR as a call through a pointer and comes back
; as a call by name, and that assembly which may write memory says so.
; RUN: cilk-llvm-opt --passes=cilk-prepare-import %s | FileCheck %s --check-prefix=IN
; RUN: cilk-llvm-opt --passes=cilk-prepare-import,cilk-finish-export %s | FileCheck %s --check-prefix=OUT
declare void @callee(i32)

; IN: %[[HIDDEN:.*]] = freeze ptr @callee
; IN: call void %[[HIDDEN]](i64 1)
; IN: call void asm sideeffect "nop", ""()
; OUT-NOT: freeze
; OUT: call void @callee(i64 1)
define void @task() {
  call void @callee(i64 1)
  call void asm "nop", ""()
  ret void
}
