; Tests that a switch on 128 bits becomes comparisons, and that one on 64 bits stays a switch.
; RUN: cilk-llvm-opt --passes=cilk-lower-wide-switches %s | FileCheck %s
; CHECK-LABEL: define i32 @wide
; CHECK-NEXT: %[[FIRST:.*]] = icmp eq i128 %n, 1
; CHECK-NEXT: br i1 %[[FIRST]], label %one, label %[[NEXT:.*]]
; CHECK: [[NEXT]]:
; CHECK-NEXT: br label %other
; CHECK: phi i32 [ 0, %[[NEXT]] ], [ 1, %one ]
define i32 @wide(i128 %n) {
  switch i128 %n, label %other [i128 1, label %one]
one:
  br label %other
other:
  %result = phi i32 [ 0, %0 ], [ 1, %one ]
  ret i32 %result
}

; CHECK-LABEL: define void @narrow
; CHECK: switch i64 %n
define void @narrow(i64 %n) {
  switch i64 %n, label %other [i64 1, label %other]
other:
  ret void
}
