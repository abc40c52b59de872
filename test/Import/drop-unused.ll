; Tests that unused declarations are removed, and that definitions and the names that they use stay.
; RUN: cilk-llvm-opt --passes=cilk-drop-unused %s | FileCheck %s --implicit-check-not=Variable
@unusedVariable = external global i32
; CHECK: @used = external global i32
@used = external global i32
; CHECK-NOT: declare
declare void @unused()

; CHECK: define ptr @kept
define ptr @kept() {
  ret ptr @used
}
