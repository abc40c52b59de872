; Tests that a function of LLVM's library that keeps no address says so, and that an unknown function does not.
; RUN: cilk-llvm-opt --passes=cilk-mark-borrows %s | FileCheck %s
; CHECK: declare i64 @strlen(ptr) #[[BORROWS:[0-9]+]]
declare i64 @strlen(ptr)
; CHECK: declare void @unknown(ptr){{$}}
declare void @unknown(ptr)

define void @task(ptr %p) "cilk2gpu-task" {
  %length = call i64 @strlen(ptr %p)
  call void @unknown(ptr %p)
  ret void
}
; CHECK: attributes #[[BORROWS]] = { "cilk2gpu-borrows"="0" }
