; Tests that a kernel of thread blocks gets a body, in which markers stand for the index variables and for the wait of its
; threads. Functions that use an index variable are inlined; others stay calls.
; RUN: cilk-llvm-opt --passes=cilk-read-block-kernels,cilk-clone-block-kernels - < %s > %t.ll
; RUN: FileCheck %s < %t.ll
; A second run changes nothing.
; RUN: cilk-llvm-opt --passes=cilk-read-block-kernels,cilk-clone-block-kernels - < %t.ll > %t.again.ll
; RUN: diff %t.ll %t.again.ll
target datalayout = "e-m:e-i64:64-n8:16:32:64-S128"
%struct.dim3 = type { i32, i32, i32 }
%struct.S = type { [6 x i64] }
@blockIdx = linkonce_odr thread_local global %struct.dim3 zeroinitializer, align 4
@threadIdx = linkonce_odr thread_local global %struct.dim3 zeroinitializer, align 4
@kernel = private constant [22 x i8] c"cilk2gpu_block_kernel\00", section "llvm.metadata"
@sync = private constant [20 x i8] c"cilk2gpu_block_sync\00", section "llvm.metadata"
@table = private constant [1 x ptr] [ptr @passed]
@llvm.global.annotations = appending global [6 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @k, ptr @kernel, ptr @kernel, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @local, ptr @kernel, ptr @kernel, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @copies, ptr @kernel, ptr @kernel, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @throws, ptr @kernel, ptr @kernel, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @looks, ptr @kernel, ptr @kernel, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @wait, ptr @sync, ptr @kernel, i32 2, ptr null }], section "llvm.metadata"

declare ptr @llvm.threadlocal.address.p0(ptr)
declare void @opaque()

define linkonce_odr void @wait() {
  ret void
}

define internal i32 @row() {
  %a = call ptr @llvm.threadlocal.address.p0(ptr @blockIdx)
  %p = getelementptr %struct.dim3, ptr %a, i32 0, i32 1
  %y = load i32, ptr %p
  ret i32 %y
}

define internal i32 @plain(i32 %n) {
  ret i32 %n
}

define internal i32 @passed() {
  %y = call i32 @row()
  ret i32 %y
}

; CHECK-LABEL: define void @k(
; CHECK: call i32 @row()
; CHECK: call void @wait()
define void @k(ptr %p) nounwind {
  %y = call i32 @row()
  %a = call ptr @llvm.threadlocal.address.p0(ptr @threadIdx)
  %x = load i32, ptr %a
  call void @wait()
  %n = call i32 @plain(i32 %x)
  %sum = add i32 %y, %n
  store i32 %sum, ptr %p
  ret void
}

; Nothing launches it: no code knows its address.
define internal void @local(ptr %p) nounwind {
  %y = call i32 @row()
  store i32 %y, ptr %p
  ret void
}

define void @copies(ptr byval(%struct.S) align 8 %read, ptr byval(%struct.S) align 8 %written, ptr %p) nounwind {
  %first = load i64, ptr %read
  store i64 %first, ptr %written
  ret void
}

define void @throws() {
  call void @opaque()
  ret void
}

; A constant leads to a function that uses an index variable.
define void @looks(ptr %p) nounwind {
  store ptr @table, ptr %p
  ret void
}

; CHECK-LABEL: define internal void @k.block(ptr %p)
; CHECK-SAME: #[[BODY:[0-9]+]]
; CHECK-DAG: %[[BLOCK:.*]] = alloca [3 x i32]
; CHECK-DAG: %[[THREAD:.*]] = alloca [3 x i32]
; CHECK-DAG: call i32 @__cilk2gpu_block_id(i32 1)
; CHECK-DAG: call i32 @__cilk2gpu_thread_id(i32 2)
; CHECK-NOT: threadlocal
; CHECK: call void @__cilk2gpu_block_sync()
; CHECK: call i32 @plain(
; CHECK-NOT: @local.block

; A parameter that is changed is copied, because threads share the arguments of a launch.
; CHECK-LABEL: define internal void @copies.block(
; CHECK-NEXT: %written.copy = alloca %struct.S
; CHECK-NEXT: call void @llvm.memcpy{{.*}}(ptr align 8 %written.copy, ptr align 8 %written, i64 48
; CHECK: load i64, ptr %read
; CHECK: store i64 %first, ptr %written.copy

; No exception leaves a kernel.
; CHECK-LABEL: define internal void @throws.block() {{.*}}personality ptr @__gxx_personality_v0
; CHECK: invoke void @opaque()
; CHECK: landingpad
; CHECK-NEXT: catch ptr null
; CHECK: call void @_ZSt9terminatev()
; CHECK-NEXT: unreachable
; CHECK-NOT: @looks.block
; CHECK: attributes #[[BODY]] = { {{.*}}"cilk2gpu-block-body"="k"
