; Tests that loops of a unit with Cilk start at cache lines, and that large arrays come from the runtime.
; RUN: cilk-llvm-opt --passes=cilk-place %s | FileCheck %s
declare ptr @malloc(i64)

; CHECK-LABEL: define ptr @function
; CHECK: call ptr @__cilk2gpu_malloc(i64 %n)
; CHECK: call ptr @malloc(i64 8)
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop ![[LOOP:[0-9]+]]
; CHECK: ![[LOOP]] = distinct !{![[LOOP]], ![[ALIGN:[0-9]+]]}
; CHECK: ![[ALIGN]] = !{!"llvm.loop.align", i32 64}
define ptr @function(i64 %n) {
entry:
  %large = call ptr @malloc(i64 %n)
  %small = call ptr @malloc(i64 8)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret ptr %large
}
!cilk2gpu.placement = !{}
