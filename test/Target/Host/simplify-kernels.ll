; Tests that a kernel with passes of its own is simplified, hidden from LLVM's pipeline, and shown again.
; RUN: cilk-llvm-opt --passes=cilk-simplify-kernels %s | FileCheck %s --check-prefix=HIDDEN
; RUN: cilk-llvm-opt --passes=cilk-simplify-kernels,cilk-release-kernels %s | FileCheck %s --check-prefix=SHOWN

; HIDDEN: define i32 @kernel(i32 %n) #[[HIDDEN:[0-9]+]]
; HIDDEN-NEXT: ret i32 %n
; HIDDEN: attributes #[[HIDDEN]] = { noinline optnone "cilk2gpu-own-passes" }
; SHOWN: define i32 @kernel(i32 %n) {
define i32 @kernel(i32 %n) "cilk2gpu-own-passes" {
  %local = alloca i32
  store i32 %n, ptr %local
  %value = load i32, ptr %local
  ret i32 %value
}
