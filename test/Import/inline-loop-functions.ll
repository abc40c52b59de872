; Tests cilk-inline-loop-functions: functions with loops of tasks become part of main, and each copy's markers have
; numbers of their own. Functions that are more than loops stay tasks.
; RUN: cilk-llvm-opt --passes=cilk-inline-loop-functions %s | FileCheck %s
; With -Os nothing is copied.
; RUN: sed 's/@main() personality/@main() optsize personality/' %s \
; RUN:   | cilk-llvm-opt --passes=cilk-inline-loop-functions - | FileCheck %s --check-prefix=SMALL
; SMALL-LABEL: define i32 @main()
; SMALL: call void @external(i64 30)
declare i64 @__cilk2gpu_for_begin(i32, i64, i64, i64, i32, i64)
declare void @__cilk2gpu_for_end(i32)
declare void @__cilk2gpu_spawn_begin(i32, ptr)
declare void @__cilk2gpu_spawn_end(i32)
declare void @__cilk2gpu_sync()
declare void @use(i64)
declare i32 @__gxx_personality_v0(...)
declare ptr @__cxa_begin_catch(ptr)
declare void @__cxa_end_catch()

; All its calls are inlined.
; CHECK-NOT: @local
define internal void @local(i64 %n) {
  %i = call i64 @__cilk2gpu_for_begin(i32 0, i64 0, i64 %n, i64 1, i32 0, i64 0)
  call void @use(i64 %i)
  call void @__cilk2gpu_for_end(i32 0)
  ret void
}

; Other files may call it.
; CHECK: define void @external(i64 %n) #[[INLINED:[0-9]+]] {
define void @external(i64 %n) {
  %i = call i64 @__cilk2gpu_for_begin(i32 1, i64 0, i64 %n, i64 1, i32 0, i64 0)
  call void @use(i64 %i)
  call void @__cilk2gpu_for_end(i32 1)
  ret void
}

; An ordinary function on the way.
; CHECK-NOT: @between
define internal void @between(i64 %n) {
  call void @local(i64 %n)
  ret void
}

; CHECK-LABEL: define internal void @kept(
define internal void @kept(i64 %n) noinline {
  %i = call i64 @__cilk2gpu_for_begin(i32 2, i64 0, i64 %n, i64 1, i32 0, i64 0)
  call void @use(i64 %i)
  call void @__cilk2gpu_for_end(i32 2)
  ret void
}

; CHECK-LABEL: define internal void @spawning(
define internal void @spawning(i64 %n) {
  call void @__cilk2gpu_spawn_begin(i32 3, ptr null)
  call void @use(i64 %n)
  call void @__cilk2gpu_spawn_end(i32 3)
  call void @__cilk2gpu_sync()
  %i = call i64 @__cilk2gpu_for_begin(i32 4, i64 0, i64 %n, i64 1, i32 0, i64 0)
  call void @__cilk2gpu_for_end(i32 4)
  ret void
}

; CHECK-LABEL: define internal void @recursive(
define internal void @recursive(i64 %n) {
  %i = call i64 @__cilk2gpu_for_begin(i32 5, i64 0, i64 %n, i64 1, i32 0, i64 0)
  call void @use(i64 %i)
  call void @__cilk2gpu_for_end(i32 5)
  %less = sub i64 %n, 1
  call void @recursive(i64 %less)
  ret void
}

; CHECK-LABEL: define internal void @even(
define internal void @even(i64 %n) {
  %i = call i64 @__cilk2gpu_for_begin(i32 10, i64 0, i64 %n, i64 1, i32 0, i64 0)
  call void @use(i64 %i)
  call void @__cilk2gpu_for_end(i32 10)
  call void @odd(i64 %n)
  ret void
}

define internal void @odd(i64 %n) {
  %i = call i64 @__cilk2gpu_for_begin(i32 11, i64 0, i64 %n, i64 1, i32 0, i64 0)
  call void @use(i64 %i)
  call void @__cilk2gpu_for_end(i32 11)
  %less = sub i64 %n, 1
  call void @even(i64 %less)
  ret void
}

; CHECK-LABEL: define internal void @inIteration(
define internal void @inIteration(i64 %n) {
  %i = call i64 @__cilk2gpu_for_begin(i32 6, i64 0, i64 %n, i64 1, i32 0, i64 0)
  call void @use(i64 %i)
  call void @__cilk2gpu_for_end(i32 6)
  ret void
}

; CHECK-LABEL: define internal void @inHandler(
define internal void @inHandler(i64 %n) {
  %i = call i64 @__cilk2gpu_for_begin(i32 7, i64 0, i64 %n, i64 1, i32 0, i64 0)
  call void @use(i64 %i)
  call void @__cilk2gpu_for_end(i32 7)
  ret void
}

; Another function than main is a task, if it has loops.
; CHECK-LABEL: define void @other(
; CHECK: call void @external(i64 7)
define void @other() {
  call void @external(i64 7)
  ret void
}

; CHECK-LABEL: define i32 @main()
define i32 @main() personality ptr @__gxx_personality_v0 {
  ; CHECK: call i64 @__cilk2gpu_for_begin(i32 [[A:[0-9]+]], i64 0, i64 10, i64 1, i32 0, i64 0), !cilk2gpu.origin [[LOCAL:![0-9]+]]
  ; CHECK: call void @__cilk2gpu_for_end(i32 [[A]])
  call void @local(i64 10)
  ; CHECK-NOT: for_begin(i32 [[A]],
  ; CHECK: call i64 @__cilk2gpu_for_begin(i32 [[B:[0-9]+]], i64 0, i64 20, i64 1, i32 0, i64 0), !cilk2gpu.origin [[LOCAL]]
  ; CHECK: call void @__cilk2gpu_for_end(i32 [[B]])
  call void @between(i64 20)
  ; CHECK: call i64 @__cilk2gpu_for_begin(i32 [[C:[0-9]+]], i64 0, i64 30, i64 1, i32 0, i64 0), !cilk2gpu.origin [[EXTERNAL:![0-9]+]]
  ; CHECK: call void @__cilk2gpu_for_end(i32 [[C]])
  call void @external(i64 30)
  ; CHECK: call void @kept
  call void @kept(i64 1)
  ; CHECK: call void @spawning
  call void @spawning(i64 1)
  ; CHECK: call void @recursive
  call void @recursive(i64 1)
  ; CHECK: call void @even
  call void @even(i64 1)
  %i = call i64 @__cilk2gpu_for_begin(i32 8, i64 0, i64 9, i64 1, i32 0, i64 0)
  ; CHECK: call void @inIteration
  call void @inIteration(i64 %i)
  call void @__cilk2gpu_for_end(i32 8)
  ; CHECK: call void @__cilk2gpu_spawn_begin
  call void @__cilk2gpu_spawn_begin(i32 9, ptr null)
  ; CHECK: call void @external
  call void @external(i64 %i)
  call void @__cilk2gpu_spawn_end(i32 9)
  call void @__cilk2gpu_sync()
  invoke void @use(i64 3) to label %done unwind label %pad
done:
  ret i32 0
pad:
  %caught = landingpad { ptr, i32 } catch ptr null
  %exception = extractvalue { ptr, i32 } %caught, 0
  %object = call ptr @__cxa_begin_catch(ptr %exception)
  ; CHECK: call void @inHandler
  call void @inHandler(i64 3)
  call void @__cxa_end_catch()
  ret i32 1
}

; CHECK-DAG: attributes #[[INLINED]] = { "cilk2gpu-inlined-call" }
; CHECK-DAG: [[LOCAL]] = !{!"local"}
; CHECK-DAG: [[EXTERNAL]] = !{!"external"}
