; Tests that a base case with loops becomes a function that the elision of the task can stand for, if nothing in front of
; it has an effect and the task ends behind it.
; RUN: cilk-llvm-opt --passes=cilk-extract-base-cases %s | FileCheck %s
declare void @__cilk2gpu_spawn_begin(i32, ptr)
declare void @__cilk2gpu_spawn_end(i32)
declare signext i16 @sum.serial(i16 signext, ptr)
declare void @store.serial(i32, ptr)
declare void @twice.serial(i32, ptr)
declare void @later.serial(i32, ptr)
declare void @copied.serial(ptr byval(i64), ptr)
declare void @other.serial(i64)

; CHECK-LABEL: define signext i16 @sum(
; CHECK: call signext i16 @sum.loops(i16 signext %n, ptr %memory)
; CHECK: phi i16 [ %1, %0 ], [ %less, %deeper ]
; CHECK-NOT: phi
; CHECK: ret i16
define signext i16 @sum(i16 signext %n, ptr %memory) nounwind "cilk2gpu-task" "cilk2gpu-elision"="sum.serial" {
entry:
  %limit = load i16, ptr %memory
  %small = icmp slt i16 %n, %limit
  br i1 %small, label %loop, label %deeper
loop:
  %i = phi i16 [0, %entry], [%next, %loop]
  %place = getelementptr i16, ptr %memory, i16 %i
  %value = load i16, ptr %place
  %next = add i16 %i, 1
  %more = icmp slt i16 %next, %n
  br i1 %more, label %loop, label %end
deeper:
  %less = sub i16 %n, 1
  call void @__cilk2gpu_spawn_begin(i32 0, ptr null)
  %x = call i16 @sum(i16 %less, ptr %memory)
  call void @__cilk2gpu_spawn_end(i32 0)
  br label %end
end:
  %result = phi i16 [%value, %loop], [%less, %deeper]
  ret i16 %result
}

; An effect in front would happen twice.
; CHECK-LABEL: define void @store(
; CHECK-NOT: @store.loops
define void @store(i32 %n, ptr %memory) nounwind "cilk2gpu-task" "cilk2gpu-elision"="store.serial" {
entry:
  store i32 %n, ptr %memory
  %small = icmp slt i32 %n, 9
  br i1 %small, label %loop, label %deeper
loop:
  %i = phi i32 [0, %entry], [%next, %loop]
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
deeper:
  call void @__cilk2gpu_spawn_begin(i32 0, ptr null)
  call void @store(i32 %n, ptr %memory)
  call void @__cilk2gpu_spawn_end(i32 0)
  br label %end
end:
  ret void
}

; A loop in front would run twice.
; CHECK-LABEL: define void @twice(
; CHECK-NOT: @twice.loops
define void @twice(i32 %n, ptr %memory) nounwind "cilk2gpu-task" "cilk2gpu-elision"="twice.serial" {
entry:
  br label %count
count:
  %c = phi i32 [0, %entry], [%d, %count]
  %d = add i32 %c, 3
  %again = icmp slt i32 %d, %n
  br i1 %again, label %count, label %decide
decide:
  %small = icmp slt i32 %d, 9
  br i1 %small, label %loop, label %deeper
loop:
  %i = phi i32 [0, %decide], [%next, %loop]
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
deeper:
  call void @__cilk2gpu_spawn_begin(i32 0, ptr null)
  call void @twice(i32 %n, ptr %memory)
  call void @__cilk2gpu_spawn_end(i32 0)
  br label %end
end:
  ret void
}

; The elision would do what stands behind, too.
; CHECK-LABEL: define void @later(
; CHECK-NOT: @later.loops
define void @later(i32 %n, ptr %memory) nounwind "cilk2gpu-task" "cilk2gpu-elision"="later.serial" {
entry:
  %small = icmp slt i32 %n, 9
  br i1 %small, label %loop, label %deeper
loop:
  %i = phi i32 [0, %entry], [%next, %loop]
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
deeper:
  call void @__cilk2gpu_spawn_begin(i32 0, ptr null)
  call void @later(i32 %n, ptr %memory)
  call void @__cilk2gpu_spawn_end(i32 0)
  br label %end
end:
  store i32 %n, ptr %memory
  ret void
}

; The task may have changed its copy.
; CHECK-LABEL: define void @copied(
; CHECK-NOT: @copied.loops
define void @copied(ptr byval(i64) %n, ptr %memory) nounwind "cilk2gpu-task" "cilk2gpu-elision"="copied.serial" {
entry:
  %count = load i64, ptr %n
  %small = icmp slt i64 %count, 9
  br i1 %small, label %loop, label %deeper
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %count
  br i1 %more, label %loop, label %end
deeper:
  call void @__cilk2gpu_spawn_begin(i32 0, ptr null)
  call void @copied(ptr byval(i64) %n, ptr %memory)
  call void @__cilk2gpu_spawn_end(i32 0)
  br label %end
end:
  ret void
}

; The elision has other parameters.
; CHECK-LABEL: define void @other(
; CHECK-NOT: @other.loops
define void @other(i32 %n) nounwind "cilk2gpu-task" "cilk2gpu-elision"="other.serial" {
entry:
  %small = icmp slt i32 %n, 9
  br i1 %small, label %loop, label %deeper
loop:
  %i = phi i32 [0, %entry], [%next, %loop]
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
deeper:
  call void @__cilk2gpu_spawn_begin(i32 0, ptr null)
  call void @other(i32 %n)
  call void @__cilk2gpu_spawn_end(i32 0)
  br label %end
end:
  ret void
}

; CHECK-LABEL: define internal signext i16 @sum.loops(i16 signext %n, ptr %memory)
; CHECK-SAME: #[[LOOPS:[0-9]+]]
; CHECK: load i16, ptr %memory
; CHECK: unreachable
; CHECK: attributes #[[LOOPS]] = { nounwind "cilk2gpu-base-case"="sum.serial" }
