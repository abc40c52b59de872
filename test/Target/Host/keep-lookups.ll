; Tests cilk-keep-lookups: lookups first read the views that the thread keeps.
; RUN: cilk-llvm-opt -passes=cilk-keep-lookups %s | FileCheck %s
; RUN: cilk-llvm-opt -passes=cilk-keep-lookups,cilk-keep-lookups %s | FileCheck %s --check-prefix=ONCE
; RUN: sed 's/"PIE Level", i32 2/"PIE Level", i32 0/' %s | cilk-llvm-opt -passes=cilk-keep-lookups | \
; RUN:   FileCheck %s --check-prefix=SHARED
target triple = "x86_64-unknown-linux-gnu"

@sum = external global i64
@other = external global [2 x i64]

declare ptr @__hyper_lookup(ptr, i64, ptr, ptr) memory(inaccessiblemem: read) nounwind willreturn
declare ptr @__cilk_c_lookup(ptr, i64)
declare void @identity(ptr)
declare void @reduce(ptr, ptr)
declare void @unknown()

; CHECK: @__cilk2gpu_kept_lookups = external thread_local global [264 x i8], align 8
; ONCE-LABEL: define void @later(
; ONCE-COUNT-1: icmp ne ptr
; ONCE-NOT: icmp ne ptr
; ONCE: ret void
; SHARED-NOT: @__cilk2gpu_kept_lookups

; The function has done nothing before its first lookup, so it may begin again.
; CHECK-LABEL: define void @base(
; CHECK: load ptr
; CHECK: %[[IS_OTHER:.*]] = icmp ne ptr %{{.*}}, @sum
; CHECK: br i1 %[[IS_OTHER]], label %[[AGAIN:.*]], label %{{.*}}, !prof
; CHECK: [[AGAIN]]:
; CHECK-NEXT: musttail call void @base.unkept(i64 signext %n)
; CHECK-NEXT: ret void
; CHECK-NOT: @__hyper_lookup
define void @base(i64 signext %n) {
  %isBase = icmp slt i64 %n, 2
  br i1 %isBase, label %yes, label %no
yes:
  %view = call ptr @__hyper_lookup(ptr @sum, i64 8, ptr @identity, ptr @reduce)
  store i64 %n, ptr %view
  ret void
no:
  call void @unknown()
  ret void
}

; After a store, the function looks up the view where it is.
; CHECK-LABEL: define void @later(
; CHECK: store i64 %n, ptr %place
; CHECK: %[[KEPT:.*]] = load ptr
; CHECK: br i1
; CHECK: %[[FOUND:.*]] = call preserve_mostcc ptr @__cilk2gpu_keep_lookup{{.*}}(ptr @sum)
; CHECK: phi ptr [ %[[KEPT]], %{{.*}} ], [ %[[FOUND]], %{{.*}} ]
define void @later(i64 %n, ptr %place) {
  store i64 %n, ptr %place
  %view = call ptr @__hyper_lookup(ptr @sum, i64 8, ptr @identity, ptr @reduce)
  store i64 %n, ptr %view
  ret void
}

; Several lookups behind a store are all behind it. Lookups of C's reducers are kept, too.
; CHECK-LABEL: define void @several(
; CHECK: call preserve_mostcc ptr @__cilk2gpu_keep_lookup{{.*}}(ptr @sum)
; CHECK: call preserve_mostcc ptr @__cilk2gpu_keep_lookup{{.*}}(ptr getelementptr inbounds
; CHECK: ret void
define void @several(i64 %n, ptr %place) {
  store i64 %n, ptr %place
  %a = call ptr @__hyper_lookup(ptr @sum, i64 8, ptr @identity, ptr @reduce)
  store i64 %n, ptr %a
  %b = call ptr @__cilk_c_lookup(ptr getelementptr inbounds (i8, ptr @other, i64 8), i64 8)
  store i64 %n, ptr %b
  ret void
}

; Elements of an array would take the entry from one another.
; CHECK-LABEL: define void @element(
; CHECK-NEXT: %key = getelementptr
; CHECK-NEXT: call ptr @__hyper_lookup(
define void @element(i64 %i) {
  %key = getelementptr i64, ptr @other, i64 %i
  %view = call ptr @__hyper_lookup(ptr %key, i64 8, ptr @identity, ptr @reduce)
  store i64 %i, ptr %view
  ret void
}

; What was known of the effects is forgotten, also for callers.
; CHECK-LABEL: define ptr @view(
; CHECK-SAME: ) #[[FEWER:[0-9]+]]
; CHECK: %[[ENTRY:.*]] = getelementptr inbounds i8, ptr %{{.*}}, i64 {{[0-9]+}}
define ptr @view() memory(inaccessiblemem: read) nounwind {
  %view = call ptr @__hyper_lookup(ptr @sum, i64 8, ptr @identity, ptr @reduce)
  ret ptr %view
}
; CHECK-LABEL: define ptr @caller(
; CHECK-SAME: ) #[[FEWER]]
define ptr @caller() memory(inaccessiblemem: read) nounwind {
  %view = call ptr @view()
  ret ptr %view
}

; CHECK: define internal void @base.unkept(i64 signext %n)
; CHECK: call preserve_mostcc ptr @__cilk2gpu_keep_lookup
; CHECK: define internal preserve_mostcc ptr @__cilk2gpu_keep_lookup(ptr %0)
; CHECK: %[[VIEW:.*]] = call ptr @__hyper_lookup(ptr %0, i64 8, ptr @identity, ptr @reduce)
; CHECK: store ptr %0,
; CHECK: store ptr %[[VIEW]],
; CHECK: store i32 1,
; CHECK: ret ptr %[[VIEW]]
; CHECK: attributes #[[FEWER]] = { nounwind }

!llvm.module.flags = !{!0, !1}
!0 = !{i32 8, !"PIC Level", i32 2}
!1 = !{i32 7, !"PIE Level", i32 2}
