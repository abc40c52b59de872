; Tests that the annotation of the attribute `lanes` becomes a function attribute, and that others are left.
; RUN: cilk-llvm-opt --passes=cilk-read-lanes %s | FileCheck %s
@lanes = private constant [20 x i8] c"cilk2gpu_lanes=simd\00", section "llvm.metadata"
@other = private constant [6 x i8] c"other\00", section "llvm.metadata"
@llvm.global.annotations = appending global [2 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @marked, ptr @lanes, ptr @other, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @plain, ptr @other, ptr @other, i32 2, ptr null }], section "llvm.metadata"

; CHECK: define void @marked() #[[LANES:[0-9]+]] {
define void @marked() {
  ret void
}

; CHECK: define void @plain() {
define void @plain() {
  ret void
}
; CHECK: attributes #[[LANES]] = { "cilk2gpu-lanes"="simd" }
