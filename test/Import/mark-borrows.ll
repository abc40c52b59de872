; Tests that a function is marked if it keeps no address that it gets, and that functions which keep an address, or are
; unknown, are not. The unit has their bodies. LLVM knows that some functions of the C library keep no address.
; RUN: split-file %s %t
; RUN: cilk-llvm-opt --passes=cilk-mark-borrows --unit=%t/unit.ll %t/tasks.ll | FileCheck %s
; CHECK: declare i32 @reads(ptr) #[[BORROWS:[0-9]+]]
; CHECK: declare i64 @measures(ptr) #[[BORROWS]]
; CHECK: declare void @keeps(ptr){{$}}
; CHECK: declare void @unknown(ptr){{$}}
; CHECK: attributes #[[BORROWS]] = { "cilk2gpu-borrows"="0" }
;--- tasks.ll
declare i32 @reads(ptr)
declare i64 @measures(ptr)
declare void @keeps(ptr)
declare void @unknown(ptr)
define void @task(ptr %p) "cilk2gpu-task" {
  %value = call i32 @reads(ptr %p)
  %length = call i64 @measures(ptr %p)
  call void @keeps(ptr %p)
  call void @unknown(ptr %p)
  ret void
}
;--- unit.ll
target triple = "x86_64-pc-linux-gnu"
@kept = global ptr null
define i32 @reads(ptr %p) {
  %value = load i32, ptr %p
  ret i32 %value
}
define void @keeps(ptr %p) {
  store ptr %p, ptr @kept
  ret void
}
define i64 @measures(ptr %text) {
  %length = call i64 @strlen(ptr %text)
  ret i64 %length
}
declare i64 @strlen(ptr)
