; Tests that a spawned call is protected from being computed, dropped or duplicated, and released again.
; RUN: cilk-llvm-opt --passes=cilk-protect-spawned-calls %s | FileCheck %s --check-prefix=PROTECT
; RUN: cilk-llvm-opt --passes=cilk-protect-spawned-calls,cilk-release-spawned-calls %s | FileCheck %s --check-prefix=RELEASE
declare void @__cilk2gpu_spawn_begin(i32, ptr)
declare void @__cilk2gpu_spawn_end(i32)
; PROTECT: declare i32 @pure(i32){{$}}
declare i32 @pure(i32) memory(none) willreturn

; PROTECT: call i32 @pure(i32 1) #[[CALL:[0-9]+]]
; PROTECT: call i32 @pure(i32 2){{$}}
; PROTECT: attributes #[[CALL]] = { nobuiltin noduplicate "cilk2gpu-protected" }
; RELEASE: call i32 @pure(i32 1) #[[CALL:[0-9]+]]
; RELEASE: attributes #[[CALL]] = { nobuiltin }
define i32 @task() {
  %slot = alloca i32
  call void @__cilk2gpu_spawn_begin(i32 0, ptr %slot)
  %spawned = call i32 @pure(i32 1)
  store i32 %spawned, ptr %slot
  call void @__cilk2gpu_spawn_end(i32 0)
  %called = call i32 @pure(i32 2)
  ret i32 %called
}
