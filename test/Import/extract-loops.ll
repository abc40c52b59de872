; Tests that a marked loop becomes a call of a task that halves its range, that its iterations become a function, and
; that a spawned block becomes the spawn of a function.
; RUN: cilk-llvm-opt --passes=cilk-extract-loops %s | FileCheck %s
declare i64 @__cilk2gpu_for_begin(i32, i64, i64, i64, i32, i64)
declare void @__cilk2gpu_for_end(i32)
declare void @use(i64, i64)

; CHECK-LABEL: define void @task
; CHECK: %[[DISTANCE:.*]] = sub i64 %n, 0
; CHECK: %[[ENTERS:.*]] = icmp slt i64 0, %n
; CHECK: %[[COUNT:.*]] = select i1 %[[ENTERS]], i64 %[[DISTANCE]], i64 0
; CHECK-NOT: trip_count
; CHECK: call void @task.for0(i64 0, i64 %[[COUNT]], i64 {{.*}}, i64 %n)
; CHECK-NOT: for_begin
define void @task(i64 %n) {
  %k = call i64 @__cilk2gpu_for_begin(i32 0, i64 0, i64 %n, i64 1, i32 0, i64 0)
  call void @use(i64 %k, i64 %n)
  call void @__cilk2gpu_for_end(i32 0)
  ret void
}
declare void @__cilk2gpu_spawned_block_begin(i32)
declare void @__cilk2gpu_spawned_block_end(i32)
; CHECK-LABEL: define void @parent
; CHECK: %[[VALUE:.*]] = load i64, ptr %read
; CHECK: call void @__cilk2gpu_spawn_begin(i32 3, ptr null)
; CHECK-NEXT: call void @parent.block0(i64 %[[VALUE]], ptr %written)
; CHECK-NEXT: call void @__cilk2gpu_spawn_end(i32 3)
; CHECK-NOT: spawned_block
define void @parent(i64 %n) {
  %read = alloca i64
  %written = alloca i64
  store i64 %n, ptr %read
  call void @__cilk2gpu_spawned_block_begin(i32 3)
  %value = load i64, ptr %read
  store i64 %value, ptr %written
  call void @__cilk2gpu_spawned_block_end(i32 3)
  store i64 0, ptr %read
  %late = load i64, ptr %written
  ret void
}

; The frontend counts the iterations of the loops of a doacross nest. The count is computed in place.
declare i64 @__cilk2gpu_trip_count(i64, i64, i64, i32)
; CHECK-LABEL: define void @nest
; CHECK: %[[DISTANCE:.*]] = sub i64 %n, 0
; CHECK: %[[ENTERS:.*]] = icmp slt i64 0, %n
; CHECK: %[[COUNT:.*]] = select i1 %[[ENTERS]], i64 %[[DISTANCE]], i64 0
; CHECK-NOT: trip_count
; CHECK: call void @nest.for0(i64 0, i64 {{.*}}, i64 {{.*}}, i64 %n)
define void @nest(i64 %n) {
  %count = call i64 @__cilk2gpu_trip_count(i64 0, i64 %n, i64 1, i32 0)
  %k = call i64 @__cilk2gpu_for_begin(i32 0, i64 0, i64 %count, i64 1, i32 24, i64 1)
  call void @use(i64 %k, i64 %n)
  call void @__cilk2gpu_for_end(i32 0)
  ret void
}

; A loop over a 16-bit variable counts with 16 bits. If its bound does not fit, the runtime says so. A loop of unknown
; step leaves its number of iterations to the runtime.
; CHECK-LABEL: define void @narrow
; CHECK: icmp slt i64 32767, %n
; CHECK: call i64 @__cilk2gpu_trip_count(i64 5, i64 %n, i64 1, i32 4096)
; CHECK: phi i64
; CHECK-LABEL: define void @unknown
; CHECK: call i64 @__cilk2gpu_trip_count(i64 0, i64 %n, i64 %step, i32 8192)
define void @narrow(i64 %n) {
  %i = call i64 @__cilk2gpu_for_begin(i32 0, i64 5, i64 %n, i64 1, i32 4096, i64 0)
  call void @use(i64 %i, i64 %n)
  call void @__cilk2gpu_for_end(i32 0)
  ret void
}
define void @unknown(i64 %n, i64 %step) {
  %i = call i64 @__cilk2gpu_for_begin(i32 0, i64 0, i64 %n, i64 %step, i32 8192, i64 0)
  call void @use(i64 %i, i64 %n)
  call void @__cilk2gpu_for_end(i32 0)
  ret void
}
; CHECK-NOT: @task.for0.body
; CHECK-LABEL: define internal void @task.for0(
; CHECK: call void @__cilk2gpu_spawn_begin(i32 0
; CHECK-NEXT: call void @task.for0(
; CHECK-NEXT: call void @__cilk2gpu_spawn_end(i32 0)
; CHECK: call void @__cilk2gpu_sync()
; CHECK-NOT: phi
; CHECK: call void @task.for0.loop(
; The iterations, which are also the elision, are a loop with the body inside.
; CHECK-LABEL: define internal void @task.for0.loop(
; CHECK-SAME: #[[LOOP:[0-9]+]]
; CHECK-NOT: spawn_begin
; CHECK: phi i64
; CHECK: icmp slt i64
; CHECK: call void @use(
; CHECK: ret void
; CHECK-LABEL: define internal void @parent.block0
; CHECK-LABEL: define internal void @narrow.for0.loop(
; CHECK: add i16 5,
; CHECK: %[[END:.*]] = add i16 5,
; CHECK: %[[I:.*]] = phi i16
; CHECK: icmp slt i16 %[[I]], %[[END]]
; CHECK: add nsw i16 %[[I]], 1
; CHECK: attributes #[[LOOP]] = { {{.*}}"cilk2gpu-serial-loop"="task.for0"
