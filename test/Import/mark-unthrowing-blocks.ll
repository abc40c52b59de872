; Tests that a kernel of thread blocks is marked if nothing that it calls throws, in a unit without Cilk functions: Clang
; emits an inline function behind the kernel that calls it, and does not know that it throws nothing.
; RUN: cilk-llvm-opt --passes=cilk-mark-unthrowing %s | FileCheck %s

; CHECK: define void @kernel(ptr %p) #[[QUIET:[0-9]+]]
define void @kernel(ptr %p) #0 {
  call void @node(ptr %p)
  ret void
}

; CHECK: define linkonce_odr void @node(ptr %p) #[[NODE:[0-9]+]]
define linkonce_odr void @node(ptr %p) {
  store i32 1, ptr %p
  ret void
}

; CHECK: define void @loud(ptr %p) #[[LOUD:[0-9]+]]
define void @loud(ptr %p) #0 {
  call void @unknown(ptr %p)
  ret void
}

declare void @unknown(ptr)

; CHECK: attributes #[[QUIET]] = { nounwind "cilk2gpu-block-kernel" }
; CHECK: attributes #[[NODE]] = { nounwind }
; CHECK: attributes #[[LOUD]] = { "cilk2gpu-block-kernel" }
attributes #0 = { "cilk2gpu-block-kernel" }
