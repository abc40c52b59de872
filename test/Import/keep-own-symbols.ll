; Tests that a program's functions become its own under -fsemantic-interposition, and that weak ones stay replaceable.
; RUN: cilk-llvm-opt --passes=cilk-keep-own-symbols %s | FileCheck %s
declare void @__cilk2gpu_sync()

; CHECK: define dso_local void @task()
define void @task() {
  call void @__cilk2gpu_sync()
  ret void
}

; CHECK: define weak void @replaced()
define weak void @replaced() {
  ret void
}

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"SemanticInterposition", i32 1}
