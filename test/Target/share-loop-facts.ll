; Tests cilk-share-loop-facts: the iterations learn what all starts of a loop pass.
; RUN: cilk-llvm-opt -passes=cilk-share-loop-facts %s | FileCheck %s
declare noalias ptr @make()
declare void @use(ptr)

; The bounds differ from element to element, although the starts pass constants.
; CHECK-LABEL: define internal void @known.loop(
; CHECK-SAME: i64 %low, i64 %high, i32 %width, i32 %same, i32 %other, ptr noalias %to, ptr noalias %from)
; CHECK-NEXT: %a = add i64 %low, %high
; CHECK-NEXT: %b = add i32 640, %other
; CHECK-NEXT: %c = add i32 %b, 640
define internal void @known.loop(i64 %low, i64 %high, i32 %width, i32 %same, i32 %other, ptr %to, ptr %from) memory(argmem: readwrite) {
  %a = add i64 %low, %high
  %b = add i32 %width, %other
  %c = add i32 %b, %same
  %v = load i32, ptr %from
  %w = add i32 %c, %v
  %at = getelementptr i32, ptr %to, i64 %a
  store i32 %w, ptr %at
  ret void
}

; Reads elements, so its arguments say nothing.
define void @known.elided(ptr %wave) "cilk2gpu-started-elements" {
  %low = load i64, ptr %wave
  %n = load i32, ptr %wave
  %p = load ptr, ptr %wave
  call void @known.loop(i64 %low, i64 %low, i32 %n, i32 %n, i32 %n, ptr %p, ptr %p)
  ret void
}

; Passes its parameters on.
define internal void @known.start(i32 %width, i32 %other, ptr %to, ptr %from) {
  call void @known.loop(i64 0, i64 9, i32 %width, i32 %width, i32 %other, ptr %to, ptr %from)
  ret void
}

define void @known(i32 %n, i1 %swap) {
  %x = call ptr @make()
  %y = call ptr @make()
  %a = select i1 %swap, ptr %y, ptr %x
  br i1 %swap, label %one, label %two
one:
  call void @known.start(i32 640, i32 %n, ptr %x, ptr %y)
  ret void
two:
  call void @known.loop(i64 0, i64 9, i32 640, i32 640, i32 5, ptr %y, ptr %x)
  ret void
}

; Equal parameters become one. The objects may be the same, and the constants differ.
; CHECK-LABEL: define internal void @equal.loop(
; CHECK-SAME: i64 %low, i64 %high, i32 %width, i32 %same, i32 %constant, ptr %to, ptr %from)
; CHECK-NEXT: %b = add i32 %width, %width
; CHECK-NEXT: %c = add i32 %b, %constant
define internal void @equal.loop(i64 %low, i64 %high, i32 %width, i32 %same, i32 %constant, ptr %to, ptr %from) memory(argmem: readwrite) {
  %b = add i32 %width, %same
  %c = add i32 %b, %constant
  %v = load i32, ptr %from
  %w = add i32 %c, %v
  store i32 %w, ptr %to
  ret void
}

define void @equal.elided(ptr %wave) "cilk2gpu-started-elements" {
  %low = load i64, ptr %wave
  %n = load i32, ptr %wave
  %p = load ptr, ptr %wave
  call void @equal.loop(i64 %low, i64 %low, i32 %n, i32 %n, i32 %n, ptr %p, ptr %p)
  ret void
}

define void @equal(i32 %n, i1 %which) {
  %x = call ptr @make()
  %y = call ptr @make()
  %either = select i1 %which, ptr %x, ptr %y
  call void @equal.loop(i64 0, i64 9, i32 %n, i32 %n, i32 3, ptr %x, ptr %either)
  call void @equal.loop(i64 0, i64 9, i32 7, i32 7, i32 4, ptr %x, ptr %y)
  ret void
}

; Objects are apart, but memory that the arguments do not lead to may be a part of them.
; CHECK-LABEL: define internal void @hidden.loop(i64 %low, i64 %high, ptr %to, ptr %from)
define internal void @hidden.loop(i64 %low, i64 %high, ptr %to, ptr %from) {
  %hidden = load ptr, ptr %from
  %v = load i32, ptr %hidden
  store i32 %v, ptr %to
  ret void
}

define void @hidden.elided(ptr %wave) "cilk2gpu-started-elements" {
  %low = load i64, ptr %wave
  %p = load ptr, ptr %wave
  call void @hidden.loop(i64 %low, i64 %low, ptr %p, ptr %p)
  ret void
}

define void @hidden() {
  %x = call ptr @make()
  %y = call ptr @make()
  store ptr %x, ptr %y
  call void @hidden.loop(i64 0, i64 9, ptr %x, ptr %y)
  ret void
}

; Other tasks spawn the loop, too: its elements may have other values.
; CHECK-LABEL: define internal void @spawned.loop(
; CHECK: add i32 %width, 1
define internal void @spawned.loop(i64 %low, i64 %high, i32 %width) {
  %b = add i32 %width, 1
  call void @use(ptr null)
  ret void
}

define void @spawned.elided(ptr %wave) {
  %low = load i64, ptr %wave
  %n = load i32, ptr %wave
  call void @spawned.loop(i64 %low, i64 %low, i32 %n)
  ret void
}

define void @spawned() {
  call void @spawned.loop(i64 0, i64 9, i32 3)
  ret void
}

; An end lies at a known number of bytes behind its begin. A loop swaps two objects, and both may be null at first. No
; second call passes another distance.
; CHECK-LABEL: define internal void @swapped.loop(
; CHECK-SAME: i64 %low, i64 %high, ptr noalias %begin, ptr %end, ptr noalias %to)
; CHECK-NEXT: %[[END:.*]] = getelementptr i8, ptr %begin, i64 128
; CHECK-NEXT: ptrtoint ptr %[[END]] to i64
define internal void @swapped.loop(i64 %low, i64 %high, ptr %begin, ptr %end, ptr %to) memory(argmem: readwrite) {
  %last = ptrtoint ptr %end to i64
  %first = load i64, ptr %begin
  %bytes = sub i64 %last, %first
  store i64 %bytes, ptr %to
  ret void
}

define void @swapped.elided(ptr %wave) "cilk2gpu-started-elements" {
  %low = load i64, ptr %wave
  %p = load ptr, ptr %wave
  call void @swapped.loop(i64 %low, i64 %low, ptr %p, ptr %p, ptr %p)
  ret void
}

define void @swapped(i1 %empty, i32 %n) {
  br i1 %empty, label %start, label %full
full:
  %x = call ptr @make()
  %y = call ptr @make()
  br label %start
start:
  %one = phi ptr [ null, %0 ], [ %x, %full ]
  %two = phi ptr [ null, %0 ], [ %y, %full ]
  br label %loop
loop:
  %i = phi i32 [ 0, %start ], [ %next, %loop ]
  %from = phi ptr [ %one, %start ], [ %to, %loop ]
  %to = phi ptr [ %two, %start ], [ %from, %loop ]
  %end = getelementptr i8, ptr %from, i64 128
  call void @swapped.loop(i64 0, i64 9, ptr %from, ptr %end, ptr %to)
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; The distance differs, and the pointers may be the same: they come from different rounds.
; CHECK-LABEL: define internal void @rounds.loop(
; CHECK-SAME: i64 %low, i64 %high, ptr %begin, ptr %end, ptr %to)
; CHECK-NEXT: ptrtoint ptr %end to i64
define internal void @rounds.loop(i64 %low, i64 %high, ptr %begin, ptr %end, ptr %to) memory(argmem: readwrite) {
  %last = ptrtoint ptr %end to i64
  %first = load i64, ptr %begin
  %bytes = sub i64 %last, %first
  store i64 %bytes, ptr %to
  ret void
}

define void @rounds.elided(ptr %wave) "cilk2gpu-started-elements" {
  %low = load i64, ptr %wave
  %p = load ptr, ptr %wave
  call void @rounds.loop(i64 %low, i64 %low, ptr %p, ptr %p, ptr %p)
  ret void
}

define void @rounds(i32 %n) {
  %first = call ptr @make()
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %before = phi ptr [ %first, %0 ], [ %now, %loop ]
  %now = phi ptr [ %first, %0 ], [ %before, %loop ]
  %end = getelementptr i8, ptr %before, i64 128
  call void @rounds.loop(i64 0, i64 9, ptr %before, ptr %end, ptr %now)
  %far = getelementptr i8, ptr %before, i64 256
  call void @rounds.loop(i64 0, i64 9, ptr %before, ptr %far, ptr %now)
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}
