; Tests that tasks get serial elisions without markers, which call each other. An update by a spawned call's result is
; atomic, unless it changes a variable of the elision.
; RUN: cilk-llvm-opt --passes=cilk-clone-elisions %s | FileCheck %s
declare void @__cilk2gpu_spawn_begin(i32, ptr)
declare void @__cilk2gpu_spawn_end(i32)
declare void @__cilk2gpu_sync()

; CHECK: define i64 @plain(ptr %p) #[[PLAIN:[0-9]+]]
define i64 @plain(ptr %p) {
  call void @__cilk2gpu_sync()
  ret i64 1
}

; CHECK: define void @array({{.*}}) #[[ARRAY:[0-9]+]]
; CHECK: call void @__cilk2gpu_sync()
define void @array(i64 %n) {
  %storage = alloca i8, i64 %n
  call void @__cilk2gpu_spawn_begin(i32 0, ptr null)
  call i64 @plain(ptr %storage)
  call void @__cilk2gpu_spawn_end(i32 0)
  call void @__cilk2gpu_sync()
  ret void
}

; CHECK: define i64 @updates(ptr %shared) #[[UPDATES:[0-9]+]]
; CHECK: atomicrmw add ptr %own, i64 %a
; CHECK: atomicrmw add ptr %shared, i64 %b
define i64 @updates(ptr %shared) {
  %own = alloca i64
  store i64 0, ptr %own
  call void @__cilk2gpu_spawn_begin(i32 0, ptr %own)
  %a = call i64 @plain(ptr %shared)
  atomicrmw add ptr %own, i64 %a monotonic
  call void @__cilk2gpu_spawn_end(i32 0)
  call void @__cilk2gpu_spawn_begin(i32 1, ptr %shared)
  %b = call i64 @plain(ptr %shared)
  atomicrmw add ptr %shared, i64 %b monotonic
  call void @__cilk2gpu_spawn_end(i32 1)
  call void @__cilk2gpu_sync()
  %sum = load i64, ptr %own
  ret i64 %sum
}

; CHECK: define internal i64 @plain.serial
; CHECK-NEXT: ret i64 1
; CHECK: define internal void @array.serial
; CHECK-NEXT: %storage = alloca i8, i64 %n
; CHECK-NEXT: call i64 @plain.serial(ptr %storage)
; CHECK-NEXT: ret void
; CHECK: define internal i64 @updates.serial
; CHECK-NEXT: %own = alloca i64
; CHECK-NEXT: store i64 0, ptr %own
; CHECK-NEXT: %a = call i64 @plain.serial(ptr %shared)
; CHECK-NEXT: %[[OLD:[0-9]+]] = load i64, ptr %own
; CHECK-NEXT: %[[NEW:[a-z0-9]+]] = add i64 %[[OLD]], %a
; CHECK-NEXT: store i64 %[[NEW]], ptr %own
; CHECK-NEXT: %b = call i64 @plain.serial(ptr %shared)
; CHECK-NEXT: atomicrmw add ptr %shared, i64 %b monotonic
; CHECK-NEXT: %sum = load i64, ptr %own
; CHECK-NEXT: ret i64 %sum

; A recursion of ordinary functions does not count.
; CHECK: define internal void @recursive.serial({{.*}}) #[[RECURSIVE:[0-9]+]]
; CHECK: define internal void @leads.serial({{.*}}) #[[RECURSIVE]]
; CHECK: define internal void @plain_recursion.serial() {
define void @recursive(i64 %n) {
  call void @__cilk2gpu_spawn_begin(i32 0, ptr null)
  call void @recursive(i64 %n)
  call void @__cilk2gpu_spawn_end(i32 0)
  call void @__cilk2gpu_sync()
  ret void
}
define void @leads(i64 %n) {
  call void @recursive(i64 %n)
  call void @__cilk2gpu_sync()
  ret void
}
define void @ordinary() {
  call void @ordinary()
  ret void
}
define void @plain_recursion() {
  call void @ordinary()
  call void @__cilk2gpu_sync()
  ret void
}

; CHECK-DAG: attributes #[[PLAIN]] = { "cilk2gpu-elision"="plain.serial" }
; CHECK-DAG: attributes #[[ARRAY]] = { "cilk2gpu-elision"="array.serial" }
; CHECK-DAG: attributes #[[UPDATES]] = { "cilk2gpu-elision"="updates.serial" }
; CHECK-DAG: attributes #[[RECURSIVE]] = { "cilk2gpu-recursive" }
