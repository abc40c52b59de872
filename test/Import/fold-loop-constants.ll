; Tests that constants that a loop's iterations capture are known in its functions.
; RUN: cilk-llvm-opt --passes=cilk-fold-loop-constants %s | FileCheck %s
@table = global i64 0
declare void @use(i64, i64, i64, double, ptr, ptr)

define void @function(i64 %n) {
  call void @task(i64 0, i64 1000, i64 %n, double 2.0, ptr null, ptr @table, i64 7)
  ret void
}

; A second call passes another value for the last argument.
define void @other(i64 %n) {
  call void @task(i64 0, i64 1000, i64 5, double 2.0, ptr null, ptr @table, i64 8)
  ret void
}

; The task passes its own arguments on to itself, and to the body.
; CHECK-LABEL: define internal void @task(
; CHECK-NEXT: call void @task(i64 1, i64 1000, i64 %n, double 2.000000e+00, ptr null, ptr %t, i64 %d)
; CHECK-NEXT: call void @body(i64 1000, i64 %n, i64 %d, double 2.000000e+00, ptr null, ptr %t)
define internal void @task(i64 %middle, i64 %c, i64 %n, double %f, ptr %p, ptr %t, i64 %d) "cilk2gpu-loop-task" {
  call void @task(i64 1, i64 %c, i64 %n, double %f, ptr %p, ptr %t, i64 %d)
  call void @body(i64 %c, i64 %n, i64 %d, double %f, ptr %p, ptr %t)
  ret void
}

; CHECK-LABEL: define internal void @body(
; CHECK-NEXT: call void @use(i64 1000, i64 %n, i64 %d, double 2.000000e+00, ptr null, ptr %t)
define internal void @body(i64 %c, i64 %n, i64 %d, double %f, ptr %p, ptr %t) "cilk2gpu-loop-body" {
  call void @use(i64 %c, i64 %n, i64 %d, double %f, ptr %p, ptr %t)
  ret void
}

; The loop that is the task's elision has the task's arguments.
; CHECK-LABEL: define internal void @loop(
; CHECK-NEXT: call void @use(i64 1000, i64 %n, i64 %d, double 2.000000e+00, ptr null, ptr %t)
define internal void @loop(i64 %middle, i64 %c, i64 %n, double %f, ptr %p, ptr %t, i64 %d) "cilk2gpu-serial-loop"="task" {
  call void @use(i64 %c, i64 %n, i64 %d, double %f, ptr %p, ptr %t)
  ret void
}

; Code that is not visible may call this function, too, and nothing is known of undefined values.
; CHECK-LABEL: define void @taken(
; CHECK-NEXT: call void @use(i64 %c, i64 %c,
define void @taken(i64 %c) "cilk2gpu-loop-body" {
  call void @use(i64 %c, i64 %c, i64 0, double 0.0, ptr null, ptr null)
  ret void
}
@pointer = global ptr @taken

; CHECK-LABEL: define internal void @undefined(
; CHECK-NEXT: call void @use(i64 %c, i64 %c,
define internal void @undefined(i64 %c) "cilk2gpu-loop-body" {
  call void @use(i64 %c, i64 %c, i64 0, double 0.0, ptr null, ptr null)
  ret void
}

define void @caller() {
  call void @taken(i64 3)
  call void @undefined(i64 poison)
  ret void
}
