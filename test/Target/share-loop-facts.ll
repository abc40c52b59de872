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
