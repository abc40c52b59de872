; Tests cilk-hoist-lookups: lookups leave loops that stay in one strand, and enter and leave around them disappear.
; RUN: cilk-llvm-opt -passes=cilk-hoist-lookups %s | FileCheck %s
declare ptr @__hyper_lookup(ptr, i64, ptr, ptr)
declare void @__cilk2gpu_views_enter(ptr)
declare void @__cilk2gpu_views_leave(ptr)
declare void @identity(ptr)
declare void @reduce(ptr, ptr)
declare void @unknown()
declare i64 @pure(i64) memory(none) nounwind willreturn

; The activation is known, so the thread need not know it. The sum stays in a register.
; CHECK-LABEL: define void @sum(
; CHECK: entry:
; CHECK: %[[VIEW:.*]] = call ptr @__cilk2gpu_views_lookup(ptr %self, ptr %key, i64 8, ptr @identity, ptr @reduce)
; CHECK: loop:
; CHECK-NOT: call void @__cilk2gpu_views
; CHECK-NOT: store
; CHECK: br i1
; CHECK: store i64 %{{.*}}, ptr %[[VIEW]]
define void @sum(ptr %self, ptr %key, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @__cilk2gpu_views_enter(ptr %self)
  %view = call ptr @__hyper_lookup(ptr %key, i64 8, ptr @identity, ptr @reduce)
  %x = call i64 @pure(i64 %i)
  %old = load i64, ptr %view
  %new = add i64 %old, %x
  store i64 %new, ptr %view
  call void @__cilk2gpu_views_leave(ptr %self)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Outside of tasks, the thread knows its strand. Two lookups of one reducer become one.
; CHECK-LABEL: define void @twice(
; CHECK: entry:
; CHECK-NEXT: call ptr @__hyper_lookup
; CHECK-NOT: @__hyper_lookup
; CHECK: loop:
; CHECK-NOT: @__hyper_lookup
; CHECK: ret void
define void @twice(ptr %key, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = call ptr @__hyper_lookup(ptr %key, i64 8, ptr @identity, ptr @reduce)
  %b = call ptr @__hyper_lookup(ptr %key, i64 8, ptr @identity, ptr @reduce)
  store i64 %i, ptr %a
  %c = getelementptr i8, ptr %b, i64 4
  store i32 7, ptr %c
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; A function that is not known may end the strand.
; CHECK-LABEL: define void @unknownCall(
; CHECK: loop:
; CHECK: call void @__cilk2gpu_views_enter(ptr %self)
; CHECK: call ptr @__hyper_lookup
; CHECK: call void @unknown()
; CHECK: call void @__cilk2gpu_views_leave(ptr %self)
define void @unknownCall(ptr %self, ptr %key, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @__cilk2gpu_views_enter(ptr %self)
  %view = call ptr @__hyper_lookup(ptr %key, i64 8, ptr @identity, ptr @reduce)
  store i64 %i, ptr %view
  call void @unknown()
  call void @__cilk2gpu_views_leave(ptr %self)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; A view that only some iterations look up is not made by the others. The first of them looks it up.
; CHECK-LABEL: define void @conditional(
; CHECK: loop:
; CHECK: %[[KNOWN:.*]] = phi ptr [ null, %entry ], [ %[[LAST:.*]], %latch ]
; CHECK: update:
; CHECK-NEXT: %[[IS_NEW:.*]] = icmp eq ptr %[[KNOWN]], null
; CHECK-NEXT: br i1 %[[IS_NEW]], label %[[FIRST:.*]], label %[[STORES:.*]], !prof
; CHECK: [[FIRST]]:
; CHECK-NEXT: %[[VIEW:.*]] = call ptr @__hyper_lookup
; CHECK: [[STORES]]:
; CHECK: %[[USED:.*]] = phi ptr [ %[[KNOWN]], %update ], [ %[[VIEW]], %[[FIRST]] ]
; CHECK-NEXT: store i64 %i, ptr %[[USED]]
define void @conditional(ptr %key, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %odd = trunc i64 %i to i1
  br i1 %odd, label %update, label %latch
update:
  %view = call ptr @__hyper_lookup(ptr %key, i64 8, ptr @identity, ptr @reduce)
  store i64 %i, ptr %view
  br label %latch
latch:
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; The view is kept through the outermost loop that has one strand.
; CHECK-LABEL: define void @nested(
; CHECK: call void @unknown()
; CHECK: middle:
; CHECK: phi ptr [ null, %outer ]
; CHECK: inner:
; CHECK: phi ptr [ %{{.*}}, %middle ]
; CHECK-COUNT-1: call ptr @__hyper_lookup
; CHECK-NOT: call ptr @__hyper_lookup
; CHECK: ret void
define void @nested(ptr %key, i64 %n) {
entry:
  br label %outer
outer:
  %k = phi i64 [ 0, %entry ], [ %nextK, %outerLatch ]
  call void @unknown()
  br label %middle
middle:
  %j = phi i64 [ 0, %outer ], [ %nextJ, %middleLatch ]
  br label %inner
inner:
  %i = phi i64 [ 0, %middle ], [ %nextI, %innerLatch ]
  %isSome = icmp eq i64 %i, %k
  br i1 %isSome, label %update, label %innerLatch
update:
  %view = call ptr @__hyper_lookup(ptr %key, i64 8, ptr @identity, ptr @reduce)
  store i64 %i, ptr %view
  br label %innerLatch
innerLatch:
  %nextI = add i64 %i, 1
  %moreI = icmp ult i64 %nextI, %n
  br i1 %moreI, label %inner, label %middleLatch
middleLatch:
  %nextJ = add i64 %j, 1
  %moreJ = icmp ult i64 %nextJ, %n
  br i1 %moreJ, label %middle, label %outerLatch
outerLatch:
  %nextK = add i64 %k, 1
  %moreK = icmp ult i64 %nextK, %n
  br i1 %moreK, label %outer, label %exit
exit:
  ret void
}

; A reducer that begins in the loop is another one in each iteration.
; CHECK-LABEL: define void @local(
; CHECK: loop:
; CHECK: call void @__cilkrts_reducer_register
; CHECK-NEXT: call ptr @__hyper_lookup
declare void @__cilkrts_reducer_register(ptr, i64, ptr, ptr)
declare void @__cilkrts_reducer_unregister(ptr)
define void @local(ptr %key, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @__cilkrts_reducer_register(ptr %key, i64 8, ptr @identity, ptr @reduce)
  %view = call ptr @__hyper_lookup(ptr %key, i64 8, ptr @identity, ptr @reduce)
  store i64 %i, ptr %view
  call void @__cilkrts_reducer_unregister(ptr %key)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; The lookup of Cilk Plus's reducers for C is a function of a header. LLVM may have removed its arguments.
; CHECK-LABEL: define void @in_c(
; CHECK: %[[VIEW:.*]] = call ptr @__cilk_c_lookup()
; CHECK: loop:
; CHECK-NOT: call ptr @__cilk_c_lookup
; CHECK: br i1
; CHECK: store i64 %{{.*}}, ptr %[[VIEW]]
define internal ptr @__cilk_c_lookup() noinline {
  %view = call ptr @__hyper_lookup(ptr null, i64 8, ptr @identity, ptr @reduce)
  ret ptr %view
}
define void @in_c(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %view = call ptr @__cilk_c_lookup()
  %old = load i64, ptr %view
  %new = add i64 %old, %i
  store i64 %new, ptr %view
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
