; Tests cilk-drop-clamps: a minimum or maximum goes if its operand keeps to the bound in all iterations.
; RUN: cilk-llvm-opt -passes=cilk-drop-clamps %s | FileCheck %s
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.umin.i32(i32, i32)
declare void @use(i32)

; x < width, in a rotated loop that counts in 64 bits.
; CHECK-LABEL: define void @wide(
; CHECK-NOT: call i32
; CHECK: call void @use(i32 %x)
; CHECK: call void @use(i32 %x)
define void @wide(i32 %width) {
  %any = icmp sgt i32 %width, 0
  br i1 %any, label %enter, label %exit
enter:
  %last = add nsw i32 %width, -1
  %count = zext nneg i32 %width to i64
  br label %loop
loop:
  %i = phi i64 [ 0, %enter ], [ %next, %loop ]
  %x = trunc nuw nsw i64 %i to i32
  %low = call i32 @llvm.smin.i32(i32 %x, i32 %last)
  call void @use(i32 %low)
  %high = call i32 @llvm.smax.i32(i32 0, i32 %x)
  call void @use(i32 %high)
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %count
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; The clamp of a clamp: both go.
; CHECK-LABEL: define void @nested(
; CHECK-NOT: call i32
; CHECK: call void @use(i32 %x)
; CHECK-NEXT: call void @use(i32 %x)
define void @nested(i32 %width) {
  %any = icmp sgt i32 %width, 0
  br i1 %any, label %enter, label %exit
enter:
  %last = add nsw i32 %width, -1
  %count = zext nneg i32 %width to i64
  br label %loop
loop:
  %i = phi i64 [ 0, %enter ], [ %next, %loop ]
  %x = trunc nuw nsw i64 %i to i32
  %high = call i32 @llvm.smax.i32(i32 %x, i32 0)
  %low = call i32 @llvm.smin.i32(i32 %high, i32 %last)
  call void @use(i32 %high)
  call void @use(i32 %low)
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %count
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; x goes down from width - 1 to 1, so that it is never below 1 and never above width - 1.
; CHECK-LABEL: define void @down(
; CHECK-NOT: call i32
; CHECK: call void @use(i32 %x)
; CHECK: call void @use(i32 %x)
define void @down(i32 %width) {
  %any = icmp sgt i32 %width, 1
  br i1 %any, label %enter, label %exit
enter:
  %last = add nsw i32 %width, -1
  br label %loop
loop:
  %x = phi i32 [ %last, %enter ], [ %next, %loop ]
  %high = call i32 @llvm.smax.i32(i32 %x, i32 1)
  call void @use(i32 %high)
  %low = call i32 @llvm.smin.i32(i32 %x, i32 %last)
  call void @use(i32 %low)
  %next = add nsw i32 %x, -1
  %done = icmp eq i32 %next, 0
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; The last iteration, x + 1, a bound that changes, a bound of unknown size, a count that may wrap, and no loop.
; CHECK-LABEL: define void @kept(
; CHECK-COUNT-5: call i32 @llvm.smin.i32
; CHECK-NOT: smin
; CHECK: call i32 @llvm.umin.i32
; CHECK: }
define void @kept(i32 %width, i32 %other, i32 %start) {
  %any = icmp sgt i32 %width, 0
  br i1 %any, label %enter, label %exit
enter:
  %last = add nsw i32 %width, -1
  %before = add nsw i32 %width, -2
  br label %loop
loop:
  %x = phi i32 [ 0, %enter ], [ %next, %loop ]
  %wrapping = phi i32 [ %start, %enter ], [ %more, %loop ]
  %a = call i32 @llvm.smin.i32(i32 %x, i32 %before)
  call void @use(i32 %a)
  %next = add nuw nsw i32 %x, 1
  %b = call i32 @llvm.smin.i32(i32 %next, i32 %last)
  call void @use(i32 %b)
  %c = call i32 @llvm.smin.i32(i32 %x, i32 %other)
  call void @use(i32 %c)
  %moving = sub i32 %last, %x
  %d = call i32 @llvm.smin.i32(i32 %x, i32 %moving)
  call void @use(i32 %d)
  %more = add i32 %wrapping, 1
  %e = call i32 @llvm.smin.i32(i32 %wrapping, i32 %last)
  call void @use(i32 %e)
  %done = icmp eq i32 %next, %width
  br i1 %done, label %exit, label %loop
exit:
  %f = call i32 @llvm.umin.i32(i32 %width, i32 %width)
  call void @use(i32 %f)
  ret void
}
