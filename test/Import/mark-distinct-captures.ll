; Tests that an iteration's accesses through two results of malloc get different alias scopes.
; RUN: cilk-llvm-opt --passes=cilk-mark-distinct-captures %s | FileCheck %s
declare noalias ptr @malloc(i64)

define void @function() {
  %p = call ptr @malloc(i64 8)
  %q = call ptr @malloc(i64 8)
  call void @body(ptr %p, ptr %q)
  ret void
}

; CHECK-LABEL: define internal void @body
; CHECK: load i32, ptr %q{{.*}} !alias.scope ![[Q:[0-9]+]], !noalias ![[P:[0-9]+]]
; CHECK: store i32 %value, ptr %p{{.*}} !alias.scope ![[P]], !noalias ![[Q]]
define internal void @body(ptr %p, ptr %q) "cilk2gpu-loop-body" {
  %value = load i32, ptr %q
  store i32 %value, ptr %p
  ret void
}
