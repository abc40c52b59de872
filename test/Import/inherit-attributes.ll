; Tests that functions made of a user's function have its target and sanitizers, but not its `noinline`.
; RUN: cilk-llvm-opt --passes=cilk-inherit-attributes %s | FileCheck %s
declare void @__cilk2gpu_sync()

define void @task() noinline sanitize_address "target-cpu"="skylake" {
  call void @__cilk2gpu_sync()
  ret void
}

; CHECK: define void @task.k0() #[[KERNEL:[0-9]+]]
define void @task.k0() "cilk2gpu-origin"="task" {
  ret void
}
; CHECK: attributes #[[KERNEL]] = { sanitize_address "cilk2gpu-origin"="task" "target-cpu"="skylake" }
