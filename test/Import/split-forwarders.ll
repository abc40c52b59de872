; Tests that an ordinary function which calls a Cilk function gets a copy that is a task where it is spawned.
; RUN: cilk-llvm-opt --passes=cilk-split-forwarders %s | FileCheck %s
declare void @__cilk2gpu_spawn_begin(i32, ptr)
declare void @__cilk2gpu_spawn_end(i32)
declare void @__cilk2gpu_sync()

; CHECK-LABEL: define void @task
; CHECK: call void @forwarder.cilk(i32 %n)
define void @task(i32 %n) {
  call void @__cilk2gpu_spawn_begin(i32 0, ptr null)
  call void @forwarder(i32 %n)
  call void @__cilk2gpu_spawn_end(i32 0)
  call void @__cilk2gpu_sync()
  ret void
}

; CHECK-LABEL: define void @forwarder(
; CHECK-NEXT: call void @task(
define void @forwarder(i32 %n) {
  call void @task(i32 %n)
  ret void
}
; CHECK: define internal void @forwarder.cilk({{.*}}) #[[TASK:[0-9]+]]
; CHECK: attributes #[[TASK]] = { "cilk2gpu-task" }
