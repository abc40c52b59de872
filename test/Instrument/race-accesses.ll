; Tests the hooks of accesses: which accesses have one, and that the write of an update on one line stands for its read.
; RUN: cilk-llvm-opt --passes=cilk-race-accesses %s | FileCheck %s
@global = global i32 0
@constant = constant i32 7

; CHECK-LABEL: define void @accesses
; CHECK-NOT:     call
; CHECK:         store i32 1, ptr %own
; CHECK-NEXT:    load i32, ptr @constant
; CHECK-NEXT:    call void @__cilk2gpu_race_read8(ptr %p, ptr @.cilk2gpu.access)
; CHECK-NEXT:    load i64, ptr %p
; CHECK-NEXT:    call void @__cilk2gpu_race_write4(ptr @global, ptr @.cilk2gpu.access{{.*}})
; CHECK-NEXT:    store i32 2, ptr @global
; CHECK-NEXT:    load i32, ptr @global
; CHECK-NEXT:    ret void
define void @accesses(ptr %p) {
  %own = alloca i32
  store i32 1, ptr %own
  %a = load i32, ptr @constant
  %b = load i64, ptr %p
  store i32 2, ptr @global
  %c = load i32, ptr @global
  ret void
}

; CHECK-LABEL: define void @others
; CHECK:         call void @__cilk2gpu_race_range(ptr %p, i64 4, i32 6, ptr {{.*}})
; CHECK-NEXT:    atomicrmw
; CHECK:         call void @__cilk2gpu_race_range(ptr %q, i64 %n, i32 1,
; CHECK-NEXT:    call void @__cilk2gpu_race_range(ptr %p, i64 %n, i32 2,
; CHECK-NEXT:    call void @llvm.memcpy
; CHECK-NEXT:    call void @__cilk2gpu_race_free(ptr %q,
; CHECK-NEXT:    call void @free(ptr %q)
; CHECK-NEXT:    %taken = call i32 @pthread_mutex_lock(ptr %p)
; CHECK-NEXT:    call void @__cilk2gpu_race_locked(ptr %p, i32 %taken)
; CHECK-NEXT:    call void @__cilk2gpu_race_unlock(ptr %p)
; CHECK-NEXT:    call i32 @pthread_mutex_unlock
define void @others(ptr %p, ptr %q, i64 %n) {
  %old = atomicrmw add ptr %p, i32 1 seq_cst
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 false)
  call void @free(ptr %q)
  %taken = call i32 @pthread_mutex_lock(ptr %p)
  %left = call i32 @pthread_mutex_unlock(ptr %p)
  ret void
}

; CHECK-LABEL: define void @escaping
; CHECK:         call void @llvm.lifetime.start
; CHECK-NEXT:    call void @__cilk2gpu_race_local(ptr %own, i64 4)
; CHECK-NEXT:    call void @others(
define void @escaping(ptr %p) {
  %own = alloca i32
  call void @llvm.lifetime.start.p0(ptr %own)
  call void @others(ptr %own, ptr %p, i64 4)
  ret void
}

declare void @free(ptr)
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.lifetime.start.p0(ptr)
