; Tests cilk-describe-entries: an entry has the effects on memory that are known of its elision.
; RUN: cilk-llvm-opt -passes=cilk-describe-entries %s | FileCheck %s
@total = global i64 0

define internal i64 @f.serial(i64 %n) memory(none) willreturn noinline {
  ret i64 %n
}
define internal i64 @f.start(i64 %n) cold {
  store i64 %n, ptr @total
  ret i64 %n
}
; CHECK: define i64 @f(i64 %n) [[PURE:#[0-9]+]] {
define i64 @f(i64 %n) noinline "cilk2gpu-elision"="f.serial" {
  %inside = load i1, ptr @total
  br i1 %inside, label %serial, label %start
serial:
  %e = call i64 @f.serial(i64 %n)
  ret i64 %e
start:
  %r = call i64 @f.start(i64 %n)
  ret i64 %r
}

; Another definition may be linked.
; CHECK: define linkonce_odr i64 @g(i64 %n) [[OTHER:#[0-9]+]] {
define linkonce_odr i64 @g(i64 %n) noinline "cilk2gpu-elision"="f.serial" {
  %e = call i64 @f.serial(i64 %n)
  ret i64 %e
}

; The elision is not called, so the function is not its entry any more.
; CHECK: define i64 @h(i64 %n) [[OTHER]] {
define i64 @h(i64 %n) noinline "cilk2gpu-elision"="f.serial" {
  %r = call i64 @f.start(i64 %n)
  ret i64 %r
}
; CHECK: attributes [[PURE]] = { noinline willreturn memory(none) "cilk2gpu-elision"
; CHECK: attributes [[OTHER]] = { noinline "cilk2gpu-elision"
