; Tests cilk-use-own-reducers: a reducer in a local has no views if no other code gets its address.
; RUN: cilk-llvm-opt -passes=cilk-use-own-reducers %s | FileCheck %s
declare ptr @__hyper_lookup(ptr, i64, ptr, ptr)
declare void @__cilkrts_reducer_register(ptr, i64, ptr, ptr)
declare void @__cilkrts_reducer_unregister(ptr)
declare ptr @__cilk2gpu_views_lookup(ptr, ptr, i64, ptr, ptr)
declare void @identity(ptr)
declare void @reduce(ptr, ptr)
declare void @use(ptr)

; CHECK-LABEL: define i64 @scalar(
; CHECK-NEXT: %[[SUM:.*]] = add i64 1, %n
; CHECK-NEXT: ret i64 %[[SUM]]
define i64 @scalar(i64 %n) {
  %own = alloca i64
  store i64 1, ptr %own
  call void @__cilkrts_reducer_register(ptr %own, i64 8, ptr @identity, ptr @reduce)
  %view = call ptr @__hyper_lookup(ptr %own, i64 8, ptr @identity, ptr @reduce)
  %old = load i64, ptr %view
  %new = add i64 %old, %n
  store i64 %new, ptr %view
  call void @__cilkrts_reducer_unregister(ptr %own)
  %result = load i64, ptr %own
  ret i64 %result
}

; The view's address may be known: it is not the address of the reducer.
; CHECK-LABEL: define void @member(
; CHECK: %[[PART:.*]] = getelementptr i8, ptr %own, i64 8
; CHECK-NEXT: call void @use(ptr %[[PART]])
; CHECK-NEXT: ret void
define void @member(ptr %self) {
  %own = alloca [16 x i8]
  %part = getelementptr i8, ptr %own, i64 8
  call void @__cilkrts_reducer_register(ptr %part, i64 8, ptr @identity, ptr @reduce)
  %view = call ptr @__cilk2gpu_views_lookup(ptr %self, ptr %part, i64 8, ptr @identity, ptr @reduce)
  call void @use(ptr %view)
  call void @__cilkrts_reducer_unregister(ptr %part)
  ret void
}

; Another function gets the reducer, and may look it up.
; CHECK-LABEL: define void @escapes(
; CHECK: call void @__cilkrts_reducer_register(
; CHECK: call void @use(ptr %own)
; CHECK: call ptr @__hyper_lookup(
; CHECK: call void @__cilkrts_reducer_unregister(
define void @escapes() {
  %own = alloca i64
  call void @__cilkrts_reducer_register(ptr %own, i64 8, ptr @identity, ptr @reduce)
  call void @use(ptr %own)
  %view = call ptr @__hyper_lookup(ptr %own, i64 8, ptr @identity, ptr @reduce)
  store i64 2, ptr %view
  call void @__cilkrts_reducer_unregister(ptr %own)
  ret void
}

; The activation is a local, too, and no reducer.
; CHECK-LABEL: define ptr @activation(
; CHECK: call ptr @__cilk2gpu_views_lookup(
define ptr @activation(ptr %key) {
  %self = alloca [64 x i8]
  %view = call ptr @__cilk2gpu_views_lookup(ptr %self, ptr %key, i64 8, ptr @identity, ptr @reduce)
  ret ptr %view
}
