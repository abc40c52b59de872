; Tests that a lowered function takes the place of the unit's, with the unit's linkage, and that kernels come along.
; RUN: split-file %s %t
; RUN: cilk-llvm-opt --passes='cilk-link-back<%t/lowered.ll>' %t/unit.ll | FileCheck %s
; RUN: not cilk-llvm-opt --passes='cilk-link-back<%t/none.ll>' %t/unit.ll 2>&1 | FileCheck %s --check-prefix=NONE
; CHECK: define void @caller()
; CHECK: define internal void @task() #[[COLD:[0-9]+]] {
; CHECK-NEXT: call void @enqueue(ptr @task.k0)
; CHECK: define internal void @task.k0()
; CHECK: define linkonce_odr void @inline_task() comdat {
; CHECK-NEXT: call void @enqueue(ptr @task.k0)
; CHECK: attributes #[[COLD]] = { cold }
; NONE: error: cannot read the lowered module '{{.*}}none.ll'
;--- unit.ll
$inline_task = comdat any
declare void @__cilk2gpu_sync()
define internal void @task() cold {
  call void @__cilk2gpu_sync()
  ret void
}
define linkonce_odr void @inline_task() comdat {
  call void @__cilk2gpu_sync()
  ret void
}
define void @caller() {
  call void @inline_task()
  call void @task()
  ret void
}
;--- lowered.ll
$inline_task = comdat any
declare void @enqueue(ptr)
define void @task() {
  call void @enqueue(ptr @task.k0)
  ret void
}
define linkonce_odr void @inline_task() comdat {
  call void @enqueue(ptr @task.k0)
  ret void
}
define internal void @task.k0() {
  ret void
}
