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

; Local arrays with values from constant memory are that memory, if they are only read afterwards.
@__const.steps = private constant [4 x i32] [i32 1, i32 2, i32 3, i32 4], align 16
@table4 = global [4 x i32] zeroinitializer, align 16
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @change(ptr)

define void @arrays(i64 %i) {
  %steps = alloca [4 x i32], align 16
  %changed = alloca [4 x i32], align 16
  %stored = alloca [4 x i32], align 16
  %partly = alloca [4 x i32], align 16
  %variable = alloca [4 x i32], align 16
  %twice = alloca [4 x i32], align 16
  call void @llvm.memcpy.p0.p0.i64(ptr %steps, ptr @__const.steps, i64 16, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %changed, ptr @__const.steps, i64 16, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %stored, ptr @__const.steps, i64 16, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %partly, ptr @__const.steps, i64 12, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %variable, ptr @table4, i64 16, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %twice, ptr @__const.steps, i64 16, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %twice, ptr @table4, i64 16, i1 false)
  call void @change(ptr %changed)
  call void @over(i64 %i, ptr %steps, ptr %changed, ptr %stored, ptr %partly, ptr %variable, ptr %twice)
  ret void
}

; CHECK-LABEL: define internal void @over(
; CHECK-NEXT: call void @reads(i64 %i, ptr @__const.steps, ptr %changed, ptr %stored, ptr %partly, ptr %variable, ptr %twice)
define internal void @over(i64 %i, ptr %steps, ptr %changed, ptr %stored, ptr %partly, ptr %variable, ptr %twice) "cilk2gpu-loop-task" {
  call void @reads(i64 %i, ptr %steps, ptr %changed, ptr %stored, ptr %partly, ptr %variable, ptr %twice)
  ret void
}

; CHECK-LABEL: define internal void @reads(
; CHECK-NEXT: getelementptr [4 x i32], ptr @__const.steps, i64 0, i64 %i
; CHECK: load i32, ptr %changed
; CHECK-NEXT: store i32 5, ptr %stored
; CHECK-NEXT: load i32, ptr %partly
; CHECK-NEXT: load i32, ptr %variable
; CHECK-NEXT: load i32, ptr %twice
define internal void @reads(i64 %i, ptr %steps, ptr %changed, ptr %stored, ptr %partly, ptr %variable, ptr %twice) "cilk2gpu-loop-body" {
  %place = getelementptr [4 x i32], ptr %steps, i64 0, i64 %i
  %step = load i32, ptr %place
  %c = load i32, ptr %changed
  store i32 5, ptr %stored
  %p = load i32, ptr %partly
  %v = load i32, ptr %variable
  %t = load i32, ptr %twice
  %sum = call i32 @sum(i32 %step, i32 %c, i32 %p, i32 %v, i32 %t)
  ret void
}
declare i32 @sum(i32, i32, i32, i32, i32)

; What depends on a constant is folded, so that inner loops get constants, too.
; CHECK-LABEL: define internal void @outer(
; CHECK-NEXT: br label %[[IN:.*]]
; CHECK: [[IN]]:
; CHECK-NEXT: call void @inner(i64 21)
define internal void @outer(i64 %n) "cilk2gpu-loop-body" {
  %none = icmp eq i64 %n, 0
  br i1 %none, label %fail, label %in
fail:
  br label %in
in:
  %count = phi i64 [ 0, %fail ], [ %n, %0 ]
  %more = add i64 %count, 1
  call void @inner(i64 %more)
  ret void
}
; CHECK-LABEL: define internal void @inner(
; CHECK-NEXT: call void @use(i64 21,
define internal void @inner(i64 %n) "cilk2gpu-loop-body" {
  call void @use(i64 %n, i64 0, i64 0, double 0.0, ptr null, ptr null)
  ret void
}
define void @starts() {
  call void @outer(i64 20)
  ret void
}
