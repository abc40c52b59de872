; Tests that a program for a processor with 32-bit pointers is refused.
; RUN: not cilk-llvm-opt --passes=cilk-check-functions %s 2>&1 | FileCheck %s
target datalayout = "e-p:32:32"
target triple = "i686-pc-linux-gnu"
declare void @__cilk2gpu_sync()

; CHECK: error: a program with spawn or sync needs a processor with 64-bit pointers, but the target is 'i686-pc-linux-gnu'
define void @task() {
  call void @__cilk2gpu_sync()
  ret void
}
