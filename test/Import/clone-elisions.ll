; Tests that a task with storage of variable size gets a serial elision without markers, and that others get none.
; RUN: cilk-llvm-opt --passes=cilk-clone-elisions %s | FileCheck %s --implicit-check-not=plain.serial
declare void @__cilk2gpu_spawn_begin(i32, ptr)
declare void @__cilk2gpu_spawn_end(i32)
declare void @__cilk2gpu_sync()

define void @plain(ptr %p) {
  call void @__cilk2gpu_sync()
  ret void
}

; CHECK: define void @array({{.*}}) #[[ELISION:[0-9]+]]
; CHECK: call void @__cilk2gpu_sync()
define void @array(i64 %n) {
  %storage = alloca i8, i64 %n
  call void @__cilk2gpu_spawn_begin(i32 0, ptr null)
  call void @plain(ptr %storage)
  call void @__cilk2gpu_spawn_end(i32 0)
  call void @__cilk2gpu_sync()
  ret void
}
; CHECK: define internal void @array.serial
; CHECK-NEXT: %storage = alloca i8, i64 %n
; CHECK-NEXT: call void @plain(ptr %storage)
; CHECK-NEXT: ret void
; CHECK: attributes #[[ELISION]] = { "cilk2gpu-elision"="array.serial" }
