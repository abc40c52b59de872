; Tests that a kernel with passes of its own is simplified, hidden from LLVM's pipeline, and shown again. A function that
; should have them only if its code is straight is left alone if a lane in it has a loop, or calls a function that LLVM may inline.
; RUN: cilk-llvm-opt --passes=cilk-simplify-kernels %s | FileCheck %s --check-prefix=HIDDEN
; RUN: cilk-llvm-opt --passes=cilk-simplify-kernels,cilk-release-kernels %s | FileCheck %s --check-prefix=SHOWN

; HIDDEN: define i32 @kernel(i32 %n) #[[HIDDEN:[0-9]+]]
; HIDDEN-NEXT: ret i32 %n
; SHOWN: define i32 @kernel(i32 %n) {
define i32 @kernel(i32 %n) "cilk2gpu-own-passes" {
  %local = alloca i32
  store i32 %n, ptr %local
  %value = load i32, ptr %local
  ret i32 %value
}

; HIDDEN: define i32 @straight(i32 %n) #[[STRAIGHT:[0-9]+]]
; HIDDEN-NEXT: add i32 %n, 1
; SHOWN: define i32 @straight(i32 %n) #[[COLD:[0-9]+]] {
define i32 @straight(i32 %n) cold optsize "cilk2gpu-own-passes"="straight" {
  %result = call i32 @lane(i32 %n)
  ret i32 %result
}
define internal i32 @lane(i32 %n) alwaysinline {
  %result = add i32 %n, 1
  ret i32 %result
}

; HIDDEN: define i32 @calling(i32 %n) {
; HIDDEN-NEXT: call i32 @user(
define i32 @calling(i32 %n) "cilk2gpu-own-passes"="straight" {
  %result = call i32 @user(i32 %n)
  ret i32 %result
}
define i32 @user(i32 %n) {
  ret i32 %n
}

; HIDDEN: define i32 @looping(i32 %n) {
; HIDDEN-NEXT: call i32 @loop(
define i32 @looping(i32 %n) "cilk2gpu-own-passes"="straight" {
  %result = call i32 @loop(i32 %n)
  ret i32 %result
}
define internal i32 @loop(i32 %n) alwaysinline {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %body, label %exit
exit:
  ret i32 %next
}

; HIDDEN: define float @real(float %n) {
define float @real(float %n) "cilk2gpu-own-passes"="straight" {
  %result = fadd float %n, 1.0
  ret float %result
}

; HIDDEN: attributes #[[HIDDEN]] = { noinline optnone "cilk2gpu-own-passes" }
; HIDDEN: attributes #[[STRAIGHT]] = { cold noinline optnone "cilk2gpu-for-size" "cilk2gpu-own-passes"="straight" }
; SHOWN: attributes #[[COLD]] = { cold optsize }
