; Tests that calls with by-value arguments stay calls, and that other calls may still become loops.
; RUN: cilk-llvm-opt --passes=cilk-keep-by-value-calls %s | FileCheck %s
%large = type { [12 x i64] }

; CHECK-LABEL: define i64 @visit
; CHECK: notail call i64 @visit(i64 %less, ptr byval(%large) %y, ptr byval(%large) %x)
; CHECK: tail call void @note(i64 %n)
define i64 @visit(i64 %n, ptr byval(%large) %x, ptr byval(%large) %y) {
  %less = sub i64 %n, 1
  %ignored = tail call i64 @visit(i64 %less, ptr byval(%large) %y, ptr byval(%large) %x)
  tail call void @note(i64 %n)
  %value = load i64, ptr %x
  ret i64 %value
}
declare void @note(i64)
