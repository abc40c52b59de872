; Tests that a Cilk function gets a form with the record of its strand. Spawns and plain calls pass the record on, and raise the
; rank of the strand. Ordinary functions get the record as an argument. Functions that get no record find it in the thread.
; RUN: cilk-llvm-opt --passes=cilk-keep-pedigrees %s | FileCheck %s
; Tests that a second run changes nothing.
; RUN: cilk-llvm-opt --passes=cilk-keep-pedigrees %s | grep -v ModuleID > %t.once
; RUN: cilk-llvm-opt --passes=cilk-keep-pedigrees %t.once | grep -v ModuleID | diff %t.once -
declare void @__cilk2gpu_spawn_begin(i32, ptr) nounwind
declare void @__cilk2gpu_spawn_end(i32) nounwind
declare void @__cilk2gpu_sync() nounwind
declare void @__cilk2gpu_raise_rank() nounwind
declare i64 @__cilk2gpu_for_begin(i32, i64, i64, i64, i32, i64) nounwind
declare void @__cilk2gpu_for_end(i32) nounwind
declare ptr @__cilk2gpu_strand() nounwind
declare void @unknown()

; A function that reads its strand, and no other unit can call, keeps only its form.
; CHECK-NOT: define {{.*}} @rank(
; CHECK: define internal i64 @rank.pedigree(ptr %[[STRAND:.*]]) {
; CHECK: store ptr %[[STRAND]], ptr %strand
; CHECK: %[[RECORD:.*]] = load ptr, ptr %strand
; CHECK: load i64, ptr %[[RECORD]]
define internal i64 @rank() {
  %record = call ptr @__cilk2gpu_strand()
  %rank = load i64, ptr %record
  ret i64 %rank
}

; CHECK-LABEL: define internal void @task.pedigree(i32 %n, ptr %0, i64 %1)
; CHECK: %[[OWN:.*]] = alloca
; CHECK: %strand = alloca ptr
; CHECK: store i64 %1, ptr %[[OWN]]
; CHECK: %[[SHARED:.*]] = icmp eq i64 %1, -1
; CHECK: %[[CHOSEN:.*]] = select i1 %[[SHARED]], ptr %0, ptr %[[OWN]]
; CHECK: store ptr %[[CHOSEN]], ptr %strand
; CHECK: %[[PARENT:.*]] = load ptr, ptr %strand
; CHECK: %[[PLACE:.*]] = getelementptr {{.*}} %[[PARENT]], i32 0, i32 1
; CHECK: %[[RANK:.*]] = load i64, ptr %[[PLACE]]
; CHECK: %[[NEXT:.*]] = add i64 %[[RANK]], 1
; CHECK: store i64 %[[NEXT]], ptr %[[PLACE]]
; CHECK: call void @__cilk2gpu_spawn_begin(i32 0, ptr null)
; CHECK: call void @task.pedigree(i32 1, ptr %[[PARENT]], i64 %[[RANK]])
; CHECK: call void @task.pedigree(i32 2, ptr %{{.*}}, i64 -1)
; CHECK: add i64 %{{.*}}, 1
; CHECK: call i64 @rank.pedigree(ptr
; CHECK: call void @unknown.entering(ptr
; CHECK-NOT: raise_rank
; CHECK: add i64
; CHECK: call void @__cilk2gpu_sync()
define void @task(i32 %n) nounwind {
  call void @__cilk2gpu_spawn_begin(i32 0, ptr null)
  call void @task(i32 1)
  call void @__cilk2gpu_spawn_end(i32 0)
  call void @task(i32 2)
  %rank = call i64 @rank()
  call void @unknown() nounwind
  call void @__cilk2gpu_raise_rank()
  call void @__cilk2gpu_sync()
  ret void
}

; Other code calls the function, which gets the strand of the thread. The function restores it.
; CHECK-LABEL: define void @task(i32 %0)
; CHECK: %[[THREAD:.*]] = call ptr @__cilk2gpu_get_strand()
; CHECK: call void @task.pedigree(i32 %0, ptr %[[THREAD]], i64 -1)
; CHECK: call void @__cilk2gpu_enter_strand(ptr %[[THREAD]])

; An iteration that calls no function with a strand has no record.
; CHECK-LABEL: define internal void @quiet.pedigree(
; CHECK: call i64 @__cilk2gpu_for_begin
; CHECK-NOT: getelementptr
; CHECK: call void @__cilk2gpu_for_end
define void @quiet(ptr %x) nounwind {
  %i = call i64 @__cilk2gpu_for_begin(i32 0, i64 0, i64 9, i64 1, i32 0, i64 0)
  store i64 %i, ptr %x
  call void @__cilk2gpu_for_end(i32 0)
  ret void
}

; The place of an iteration is its number, above the place of its loop.
; CHECK-LABEL: define internal void @loop.pedigree(
; CHECK: %place = alloca { i64, ptr }
; CHECK: store i64 %{{.*}}, ptr %place
; CHECK: %[[I:.*]] = call i64 @__cilk2gpu_for_begin
; CHECK: %[[WAY:.*]] = sub i64 %[[I]], 5
; CHECK: %[[INDEX:.*]] = udiv i64 %[[WAY]], 3
; CHECK: store i64 %[[INDEX]], ptr %[[ITERATION:.*]], align
; CHECK: call i64 @rank.pedigree(ptr %[[ITERATION]])
define void @loop() nounwind {
  %i = call i64 @__cilk2gpu_for_begin(i32 0, i64 5, i64 50, i64 3, i32 0, i64 0)
  %rank = call i64 @rank()
  call void @__cilk2gpu_for_end(i32 0)
  ret void
}

; CHECK: define internal void @unknown.entering(ptr %[[RECORD:.*]]) #[[ENTERS:[0-9]+]]
; CHECK-NEXT: call void @__cilk2gpu_enter_strand(ptr %[[RECORD]])
; CHECK-NEXT: call void @unknown()
; CHECK: attributes #[[ENTERS]] = {{.*}}noinline
