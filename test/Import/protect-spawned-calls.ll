; Tests cilk-protect-spawned-calls and cilk-release-spawned-calls: a variable of which a child assigns a part stays in
; memory in between, if the marker names no destination and other code uses the variable.
; RUN: cilk-llvm-opt --passes=cilk-protect-spawned-calls %s | FileCheck %s
; RUN: cilk-llvm-opt --passes=cilk-protect-spawned-calls,sroa,cilk-release-spawned-calls %s | FileCheck %s --check-prefix=BOTH
; RUN: cilk-llvm-opt --passes=sroa %s | FileCheck %s --check-prefix=ALONE
declare void @__cilk2gpu_spawn_begin(i32, ptr)
declare void @__cilk2gpu_spawn_end(i32)
declare void @__cilk2gpu_sync()
declare i32 @f(ptr)

; CHECK-LABEL: define i32 @parts
; CHECK: %array = alloca [2 x i32]
; CHECK: call void @__cilk2gpu_spawn_begin(i32 0, ptr null)
; CHECK-NEXT: call void @__cilk2gpu_keep(ptr %array)
; CHECK-NOT: __cilk2gpu_keep
; CHECK: call void @__cilk2gpu_spawn_begin(i32 1, ptr %whole)
; CHECK-NOT: __cilk2gpu_keep
; CHECK: }
; BOTH-LABEL: define i32 @parts
; BOTH: %array = alloca [2 x i32]
; BOTH-NOT: __cilk2gpu_keep
; BOTH: store i32 %value, ptr %part
; BOTH-NOT: __cilk2gpu_keep
; ALONE-LABEL: define i32 @parts
; ALONE-NOT: %array = alloca
; ALONE: }
define i32 @parts() {
  %array = alloca [2 x i32]
  %slot = alloca ptr
  %object = alloca i64
  %own = alloca i32
  %whole = alloca i32
  store i64 0, ptr %array
  call void @__cilk2gpu_spawn_begin(i32 0, ptr null)
  store i32 7, ptr %own
  %part = getelementptr inbounds [2 x i32], ptr %array, i64 0, i64 1
  store ptr %part, ptr %slot
  %value = call i32 @f(ptr %object)
  %to = load ptr, ptr %slot
  store i32 %value, ptr %to
  call void @__cilk2gpu_spawn_end(i32 0)
  call void @__cilk2gpu_spawn_begin(i32 1, ptr %whole)
  %other = call i32 @f(ptr %object)
  store i32 %other, ptr %whole
  call void @__cilk2gpu_spawn_end(i32 1)
  call void @__cilk2gpu_sync()
  %again = getelementptr inbounds [2 x i32], ptr %array, i64 0, i64 1
  %result = load i32, ptr %again
  %more = load i32, ptr %whole
  %sum = add i32 %result, %more
  ret i32 %sum
}
