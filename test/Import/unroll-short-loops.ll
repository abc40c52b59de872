; Tests that loops of a few iterations are unrolled if they access a local array that is accessed at constant places
; elsewhere, and that other loops are not.
; RUN: cilk-llvm-opt --passes=cilk-unroll-short-loops %s | FileCheck %s

; The marks may not be duplicated by other passes.
; CHECK: declare void @__cilk2gpu_spawn_begin(i32, ptr) #[[MARK:[0-9]+]]
declare void @__cilk2gpu_spawn_begin(i32, ptr) noduplicate convergent
declare void @__cilk2gpu_spawn_end(i32) noduplicate convergent
declare void @__cilk2gpu_sync() noduplicate convergent

; CHECK-LABEL: define internal i32 @few
; CHECK-COUNT-3: call void @__cilk2gpu_spawn_begin
; CHECK-NOT: call void @__cilk2gpu_spawn_begin
; CHECK: call void @__cilk2gpu_sync
; CHECK-COUNT-4: load i32
; CHECK-NOT: load i32
; CHECK: ret i32
define internal i32 @few(i32 %n) {
entry:
  %r = alloca [3 x i32]
  br label %header
header:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %again = icmp ult i64 %i, 3
  br i1 %again, label %body, label %wait
body:
  %slot = getelementptr [3 x i32], ptr %r, i64 0, i64 %i
  call void @__cilk2gpu_spawn_begin(i32 0, ptr %slot)
  %child = call i32 @few(i32 %n)
  store i32 %child, ptr %slot
  call void @__cilk2gpu_spawn_end(i32 0)
  %next = add i64 %i, 1
  br label %header
wait:
  call void @__cilk2gpu_sync()
  %end = getelementptr [3 x i32], ptr %r, i64 1
  br label %fold
fold:
  %at = phi ptr [ %r, %wait ], [ %on, %add ]
  %sum = phi i32 [ 0, %wait ], [ %more, %add ]
  %left = icmp ne ptr %at, %end
  br i1 %left, label %add, label %done
add:
  %value = load i32, ptr %at
  %more = add i32 %sum, %value
  %on = getelementptr i32, ptr %at, i64 1
  br label %fold
done:
  %first = load i32, ptr %r
  %result = add i32 %sum, %first
  ret i32 %result
}

; The loop has too many iterations, or the array is only accessed in it.
; CHECK-LABEL: define i32 @many
; CHECK-COUNT-1: call void @__cilk2gpu_spawn_begin
; CHECK-NOT: call void @__cilk2gpu_spawn_begin
; CHECK: ret i32
define i32 @many(i32 %n) {
entry:
  %r = alloca [9 x i32]
  br label %header
header:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %again = icmp ult i64 %i, 9
  br i1 %again, label %body, label %wait
body:
  %slot = getelementptr [9 x i32], ptr %r, i64 0, i64 %i
  call void @__cilk2gpu_spawn_begin(i32 0, ptr %slot)
  %result = call i32 @few(i32 %n)
  store i32 %result, ptr %slot
  call void @__cilk2gpu_spawn_end(i32 0)
  %next = add i64 %i, 1
  br label %header
wait:
  call void @__cilk2gpu_sync()
  %first = load i32, ptr %r
  ret i32 %first
}

; CHECK-LABEL: define void @only_here
; CHECK-COUNT-1: call void @__cilk2gpu_spawn_begin
; CHECK-NOT: call void @__cilk2gpu_spawn_begin
; CHECK: ret void
define void @only_here(i32 %n) {
entry:
  %r = alloca [3 x i32]
  br label %header
header:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %again = icmp ult i64 %i, 3
  br i1 %again, label %body, label %wait
body:
  %slot = getelementptr [3 x i32], ptr %r, i64 0, i64 %i
  call void @__cilk2gpu_spawn_begin(i32 0, ptr %slot)
  %result = call i32 @few(i32 %n)
  store i32 %result, ptr %slot
  call void @__cilk2gpu_spawn_end(i32 0)
  %next = add i64 %i, 1
  br label %header
wait:
  call void @__cilk2gpu_sync()
  ret void
}

; CHECK: attributes #[[MARK]] = { convergent noduplicate }
