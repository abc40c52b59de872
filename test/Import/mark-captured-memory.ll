; Tests that captured pointers of a loop's functions get what all their callers know of the memory behind them.
; RUN: cilk-llvm-opt --passes=cilk-mark-captured-memory %s | FileCheck %s
@table = global [4 x i64] zeroinitializer, align 16

define void @function(ptr align 8 dereferenceable(32) %a, ptr sret({ i64, i64 }) align 8 %r, ptr %unknown) {
  %local = alloca [5 x i32], align 16
  %inner = getelementptr inbounds i8, ptr %local, i64 4
  %behind = getelementptr inbounds i8, ptr %local, i64 20
  call void @task(i64 0, ptr %a, ptr %r, ptr %inner, ptr %behind, ptr @table, ptr %unknown)
  ret void
}

; A second call knows less of the last but one pointer, and nothing of the local.
define void @other(ptr align 8 dereferenceable(64) %a, ptr %r) {
  %local = alloca [16 x i8], align 8
  call void @task(i64 0, ptr %a, ptr @table, ptr @table, ptr %local, ptr %local, ptr %r)
  ret void
}

; The task passes its own pointers on to itself, and to the body.
; CHECK: define internal void @task(i64 %i, ptr align 8 dereferenceable(32) %a, ptr align 8 dereferenceable(16) %r, ptr align 4 dereferenceable(16) %inner, ptr %behind, ptr align 8 dereferenceable(16) %t, ptr %u)
define internal void @task(i64 %i, ptr %a, ptr %r, ptr %inner, ptr %behind, ptr %t, ptr %u) "cilk2gpu-loop-task" {
  call void @task(i64 1, ptr %a, ptr %r, ptr %inner, ptr %behind, ptr %t, ptr %u)
  call void @body(ptr %a, ptr %u, ptr %t)
  ret void
}

; CHECK: define internal void @body(ptr align 8 dereferenceable(32) %a, ptr %u, ptr align 8 dereferenceable(16) %t)
define internal void @body(ptr %a, ptr %u, ptr %t) "cilk2gpu-loop-body" {
  ret void
}

; The loop that is the task's elision has the task's arguments.
; CHECK: define internal void @loop(i64 %i, ptr align 8 dereferenceable(32) %a, ptr align 8 dereferenceable(16) %r,
define internal void @loop(i64 %i, ptr %a, ptr %r, ptr %inner, ptr %behind, ptr %t, ptr %u) "cilk2gpu-serial-loop"="task" {
  call void @task(i64 %i, ptr %a, ptr %r, ptr %inner, ptr %behind, ptr %t, ptr %u)
  ret void
}

; Code that is not visible may call a function that is not local.
; CHECK: define void @taken(ptr %a)
define void @taken(ptr %a) "cilk2gpu-loop-body" {
  ret void
}
@pointer = global ptr @taken
