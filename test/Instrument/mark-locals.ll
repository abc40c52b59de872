; Tests the marks of local variables: a variable that a child and its parent use has one where the function begins, and a
; variable that only a child uses has one where the child begins. Variables of one strand have none.
; RUN: cilk-llvm-opt --passes=cilk-mark-locals %s | FileCheck %s

; CHECK-LABEL: define void @function
; CHECK:         %temporary = alloca i64
; CHECK-NEXT:    call void @__cilk2gpu_race_local(ptr %shared, i64 4)
; CHECK-NEXT:    store i32 0, ptr %own
; CHECK-NEXT:    call void @__cilk2gpu_spawn_begin
; CHECK-NEXT:    call void @__cilk2gpu_race_local(ptr %temporary, i64 8)
; CHECK-NEXT:    call void @child(ptr %temporary, ptr %shared)
; CHECK-NEXT:    call void @__cilk2gpu_spawn_end
; CHECK-NEXT:    store i32 1, ptr %shared
; CHECK-NEXT:    call void @__cilk2gpu_sync
define void @function() {
  %own = alloca i32
  %shared = alloca i32
  %temporary = alloca i64
  store i32 0, ptr %own
  call void @__cilk2gpu_spawn_begin(i32 0, ptr null)
  call void @child(ptr %temporary, ptr %shared)
  call void @__cilk2gpu_spawn_end(i32 0)
  store i32 1, ptr %shared
  call void @__cilk2gpu_sync()
  ret void
}

declare void @child(ptr, ptr)
declare void @__cilk2gpu_spawn_begin(i32, ptr)
declare void @__cilk2gpu_spawn_end(i32)
declare void @__cilk2gpu_sync()
