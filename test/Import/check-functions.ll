; Tests that a Cilk function with a computed goto is refused, and that an ordinary one is not.
; RUN: not cilk-llvm-opt --passes=cilk-check-functions %s 2>&1 | FileCheck %s
declare void @__cilk2gpu_sync()

define void @ordinary(ptr %to) {
  indirectbr ptr %to, [label %end]
end:
  ret void
}

; CHECK: error: {{.*}}in function task{{.*}}: a function that spawns cannot contain a computed goto; use a switch
; CHECK-NOT: error:
define void @task(ptr %to) {
  call void @__cilk2gpu_sync()
  indirectbr ptr %to, [label %end]
end:
  ret void
}
