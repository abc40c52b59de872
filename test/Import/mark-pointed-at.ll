; Tests that functions whose address is taken are marked for devices, and main and functions that are only called are not.
; RUN: cilk-llvm-opt --passes=cilk-mark-pointed-at %s | FileCheck %s
@table = global [2 x ptr] [ptr @pointed, ptr @main]

; CHECK: define void @pointed() #[[MARK:[0-9]+]]
define void @pointed() {
  ret void
}

; CHECK: define void @called() {
define void @called() {
  ret void
}

; CHECK: define i32 @main() {
define i32 @main() {
  call void @called()
  ret i32 0
}
; CHECK: attributes #[[MARK]] = { "cilk2gpu-pointed-at" }
