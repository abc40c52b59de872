; Tests that functions with the same code become one, also if they are the same only after others have become one. A
; loop's identity does not matter. Functions that the unit knows stay, and so do functions with another flag, constant,
; order of cases, or attribute. Types may have other names (TBAA), but what is of one type must be so in both functions.
; RUN: split-file %s %t
; RUN: cilk-llvm-opt --passes=cilk-share-kernels --unit=%t/unit.ll %t/lowered.ll | FileCheck %s
; RUN: cilk-llvm-opt --passes=cilk-share-kernels --unit=%t/unit.ll %t/lowered.ll --pass-remarks=cilk | FileCheck %s --check-prefix=REMARKS

; CHECK: @table = constant [13 x ptr] [ptr @a.k0, ptr @a.k0, ptr @wrapping, ptr @two, ptr @switch, ptr @turned, ptr @cold, ptr @a.k0.simd.avx512, ptr @a.k0.simd.avx512, ptr @d.k0.simd.avx512, ptr @apart, ptr @apart, ptr @together]
; REMARKS: ptr @a.k0, ptr @b.k0,
; CHECK-NOT: @b.k0
; CHECK: define internal i32 @known(
; CHECK-NOT: @b.k0

;--- unit.ll
declare i32 @known(i32)
define void @a() { ret void }
define void @b() { ret void }
define void @c() { ret void }
define void @d() { ret void }

;--- lowered.ll
@table = constant [13 x ptr] [ptr @a.k0, ptr @b.k0, ptr @wrapping, ptr @two, ptr @switch, ptr @turned, ptr @cold,
                              ptr @a.k0.simd.avx512, ptr @b.k0.simd.avx512, ptr @d.k0.simd.avx512,
                              ptr @apart, ptr @otherwise, ptr @together]
declare i32 @user(i32)
define internal i32 @a.k0(i32 %n) "cilk2gpu-origin"="a" {
  %x = call i32 @a.lane(i32 %n)
  ret i32 %x
}
define internal i32 @a.lane(i32 %n) "cilk2gpu-origin"="a" {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add nsw i32 %i, 1
  %x = call i32 @user(i32 %next)
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !0
exit:
  ret i32 %x
}
define internal i32 @b.k0(i32 %n) "cilk2gpu-origin"="b" {
  %y = call i32 @b.lane(i32 %n)
  ret i32 %y
}
define internal i32 @b.lane(i32 %m) "cilk2gpu-origin"="b" {
start:
  br label %again
again:
  %k = phi i32 [ 0, %start ], [ %k2, %again ]
  %k2 = add nsw i32 %k, 1
  %y = call i32 @user(i32 %k2)
  %more = icmp slt i32 %k2, %m
  br i1 %more, label %again, label %end, !llvm.loop !1
end:
  ret i32 %y
}
define internal i32 @known(i32 %n) {
  %x = call i32 @a.lane(i32 %n)
  ret i32 %x
}
define internal i32 @flag(i32 %n) {
  %x = add nsw i32 %n, 1
  %y = call i32 @user(i32 %x)
  ret i32 %y
}
define internal i32 @wrapping(i32 %n) {
  %x = add i32 %n, 1
  %y = call i32 @user(i32 %x)
  ret i32 %y
}
define internal i32 @two(i32 %n) {
  %x = add nsw i32 %n, 2
  %y = call i32 @user(i32 %x)
  ret i32 %y
}
define internal i32 @switch(i32 %n) {
  switch i32 %n, label %b [ i32 1, label %a
                            i32 2, label %b ]
a:
  ret i32 1
b:
  ret i32 2
}
define internal i32 @turned(i32 %n) {
  switch i32 %n, label %b [ i32 2, label %a
                            i32 1, label %b ]
a:
  ret i32 1
b:
  ret i32 2
}
define internal i32 @cold(i32 %n) cold {
  %x = add nsw i32 %n, 1
  %y = call i32 @user(i32 %x)
  ret i32 %y
}
define internal void @apart(ptr %p, ptr %q) {
  store i32 1, ptr %p, !tbaa !5
  store i32 2, ptr %q, !tbaa !6
  ret void
}
define internal void @otherwise(ptr %p, ptr %q) {
  store i32 1, ptr %p, !tbaa !6
  store i32 2, ptr %q, !tbaa !5
  ret void
}
define internal void @together(ptr %p, ptr %q) {
  store i32 1, ptr %p, !tbaa !5
  store i32 2, ptr %q, !tbaa !5
  ret void
}
declare ptr @cilk2gpu.lane.deq.0..a.k0.lanes()
declare ptr @cilk2gpu.lane.deq.0..b.k0.lanes()
declare ptr @cilk2gpu.lane.deq.1..d.k0.lanes()
declare void @a.k0.lanes.avx512.wave(ptr)
declare void @b.k0.lanes.avx512.wave(ptr)
declare void @d.k0.lanes.avx512.wave(ptr)
define void @a.k0.lanes() "cilk2gpu-lane-kernel" "cilk2gpu-origin"="a" {
  %p = call ptr @cilk2gpu.lane.deq.0..a.k0.lanes()
  ret void
}
define void @b.k0.lanes() "cilk2gpu-lane-kernel" "cilk2gpu-origin"="b" {
  %p = call ptr @cilk2gpu.lane.deq.0..b.k0.lanes()
  ret void
}
define void @d.k0.lanes() "cilk2gpu-lane-kernel" "cilk2gpu-origin"="d" {
  %p = call ptr @cilk2gpu.lane.deq.1..d.k0.lanes()
  ret void
}
define internal void @a.k0.simd.avx512(ptr %lanes) "cilk2gpu-origin"="a" {
  call void @a.k0.lanes.avx512.wave(ptr %lanes)
  ret void
}
define internal void @b.k0.simd.avx512(ptr %lanes) "cilk2gpu-origin"="b" {
  call void @b.k0.lanes.avx512.wave(ptr %lanes)
  ret void
}
define internal void @d.k0.simd.avx512(ptr %lanes) "cilk2gpu-origin"="d" {
  call void @d.k0.lanes.avx512.wave(ptr %lanes)
  ret void
}
!0 = distinct !{!0, !2}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.mustprogress"}
!3 = !{!"root"}
!4 = !{!"int", !3, i64 0}
!5 = !{!7, !4, i64 0}
!6 = !{!8, !4, i64 0}
!7 = !{!"first", !4, i64 0}
!8 = !{!"second", !4, i64 0}
