; Tests that each broken rule of the normal form is reported at its function.
; RUN: not cilk-llvm-opt --passes=cilk-verify-normal-form %s 2>&1 | FileCheck %s
declare void @__cilk2gpu_spawn_begin(i32, ptr)
declare void @__cilk2gpu_spawn_end(i32)
declare i64 @__cilk2gpu_for_begin(i32, i64, i64, i64, i32, i64)
declare i32 @child()

define void @normal(ptr %p) {
  call void @__cilk2gpu_spawn_begin(i32 0, ptr %p)
  %x = call i32 @child()
  store i32 %x, ptr %p
  call void @__cilk2gpu_spawn_end(i32 0)
  ret void
}

; CHECK-NOT: in function normal
; CHECK: in function open {{.*}}the end marker of a spawn follow its begin marker in one block
define void @open(ptr %p) {
  call void @__cilk2gpu_spawn_begin(i32 0, ptr %p)
  br label %next
next:
  %x = call i32 @child()
  call void @__cilk2gpu_spawn_end(i32 0)
  ret void
}

; CHECK: in function pointer {{.*}}a spawned call names its callee
define void @pointer(ptr %p) {
  call void @__cilk2gpu_spawn_begin(i32 0, ptr null)
  %x = call i32 %p()
  call void @__cilk2gpu_spawn_end(i32 0)
  ret void
}

; CHECK: in function converted {{.*}}only the store of its result follows
define void @converted(ptr %p) {
  call void @__cilk2gpu_spawn_begin(i32 0, ptr %p)
  %x = call i32 @child()
  %wide = sext i32 %x to i64
  store i64 %wide, ptr %p
  call void @__cilk2gpu_spawn_end(i32 0)
  ret void
}

; CHECK: in function loop {{.*}}only markers of spawns and syncs are left; found __cilk2gpu_for_begin
define void @loop() {
  %k = call i64 @__cilk2gpu_for_begin(i32 0, i64 0, i64 9, i64 1, i32 0, i64 0)
  ret void
}

; CHECK: in function array {{.*}}a task gets memory for variables of variable size from the runtime
define void @array(i64 %n) "cilk2gpu-task" {
  %storage = alloca i8, i64 %n
  ret void
}
