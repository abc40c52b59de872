; Tests that the part of a task that allocates and computes in a loop, and spawns nothing, becomes a function.
; RUN: cilk-llvm-opt --passes=cilk-extract-base-cases %s | FileCheck %s
declare void @__cilk2gpu_spawn_begin(i32, ptr)
declare void @__cilk2gpu_spawn_end(i32)
declare noalias ptr @malloc(i64)
declare void @free(ptr)

; CHECK-LABEL: define void @task(
; CHECK: call void @task.base(
; CHECK: call void @task(i32 %less)
define void @task(i32 %n) "cilk2gpu-task" {
entry:
  %small = icmp slt i32 %n, 9
  br i1 %small, label %base, label %deeper
base:
  %memory = call ptr @malloc(i64 64)
  br label %loop
loop:
  %i = phi i64 [0, %base], [%next, %loop]
  %place = getelementptr i8, ptr %memory, i64 %i
  store i8 1, ptr %place
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %loop, label %done
done:
  call void @free(ptr %memory)
  br label %end
deeper:
  %less = sub i32 %n, 1
  call void @__cilk2gpu_spawn_begin(i32 0, ptr null)
  call void @task(i32 %less)
  call void @__cilk2gpu_spawn_end(i32 0)
  br label %end
end:
  ret void
}
; CHECK: define internal void @task.base() #[[BASE:[0-9]+]]
; CHECK: call ptr @malloc
; CHECK: attributes #[[BASE]] = { noinline }
