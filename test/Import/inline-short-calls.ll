; Tests that a short function is inlined into a task, and that a call that is spawned stays a call. An argument's
; `noalias`, at the function or its call, holds during the call only, so that it goes.
; RUN: cilk-llvm-opt --passes=cilk-inline-short-calls %s | FileCheck %s
declare void @__cilk2gpu_spawn_begin(i32, ptr)
declare void @__cilk2gpu_spawn_end(i32)
declare void @__cilk2gpu_sync()

define internal i32 @short(i32 %n) {
  %sum = add i32 %n, 1
  ret i32 %sum
}

; CHECK-LABEL: define i32 @task
; CHECK: call i32 @short(i32 5)
; CHECK-NOT: call i32 @short
; CHECK: add i32 %n, 1
define i32 @task(i32 %n) {
  %slot = alloca i32
  call void @__cilk2gpu_spawn_begin(i32 0, ptr %slot)
  %spawned = call i32 @short(i32 5)
  store i32 %spawned, ptr %slot
  call void @__cilk2gpu_spawn_end(i32 0)
  %called = call i32 @short(i32 %n)
  call void @__cilk2gpu_sync()
  ret i32 %called
}

define internal i32 @apart(ptr %x, ptr noalias %y) {
  store i32 1, ptr %x
  %value = load i32, ptr %y
  ret i32 %value
}

; CHECK-LABEL: define i32 @keeps_no_aliases
; CHECK-NOT: call i32 @apart
; CHECK: store i32 1, ptr %x, align 4{{$}}
; CHECK-NEXT: load i32, ptr %y, align 4{{$}}
define i32 @keeps_no_aliases(ptr %x, ptr %y) {
  %called = call i32 @apart(ptr noalias %x, ptr noalias %y)
  call void @__cilk2gpu_sync()
  ret i32 %called
}

; A short loop is inlined where it gets an array of results, and not elsewhere.
define internal i32 @sum(ptr %from, i32 %count) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %sum = phi i32 [ 0, %entry ], [ %more, %body ]
  %again = icmp slt i32 %i, %count
  br i1 %again, label %body, label %done
body:
  %at = getelementptr i32, ptr %from, i32 %i
  %value = load i32, ptr %at
  %more = add i32 %sum, %value
  %next = add i32 %i, 1
  br label %header
done:
  ret i32 %sum
}

; CHECK-LABEL: define i32 @with_array
; CHECK-NOT: call i32 @sum
; CHECK: ret i32
define i32 @with_array(i32 %n) {
  %r = alloca [8 x i32]
  %slot = getelementptr [8 x i32], ptr %r, i32 0, i32 %n
  call void @__cilk2gpu_spawn_begin(i32 0, ptr %slot)
  %spawned = call i32 @short(i32 5)
  store i32 %spawned, ptr %slot
  call void @__cilk2gpu_spawn_end(i32 0)
  call void @__cilk2gpu_sync()
  %result = call i32 @sum(ptr %r, i32 %n)
  ret i32 %result
}

; CHECK-LABEL: define i32 @without_array
; CHECK: call i32 @sum
define i32 @without_array(i32 %n) {
  %r = alloca [8 x i32]
  call void @__cilk2gpu_sync()
  %result = call i32 @sum(ptr %r, i32 %n)
  ret i32 %result
}
