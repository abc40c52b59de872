; Tests that lane forms become vectors, together with the unit's functions that they call. The vector entries of other
; kernels go. Also tests the errors for a wrong parameter and for a unit without Cilk functions.
; RUN: split-file %s %t
; RUN: cilk-llvm-opt --passes='cilk-vectorise-kernels<lanes=simd;vector-isa=avx512;vector-length=16>' --unit=%t/unit.ll %t/lowered.ll 2>&1 | FileCheck %s --implicit-check-not='.lanes()' --implicit-check-not=.wave --implicit-check-not=warning
; RUN: cilk-llvm-opt --passes='cilk-vectorise-kernels<lanes=simd;vector-isa=avx2>' --unit=%t/unit.ll %t/lowered.ll 2>&1 | FileCheck %s --check-prefix=NONE --implicit-check-not=task.k
; RUN: cilk-llvm-opt --passes='cilk-vectorise-kernels<vector-isa=none>' --unit=%t/unit.ll %t/lowered.ll 2>&1 | FileCheck %s --check-prefix=NONE --implicit-check-not=task.k
; RUN: not cilk-llvm-opt --passes='cilk-vectorise-kernels<lanes=simd;quick>' --unit=%t/unit.ll %t/lowered.ll 2>&1 | FileCheck %s --check-prefix=WORD
; RUN: not cilk-llvm-opt --passes=cilk-vectorise-kernels %t/lowered.ll 2>&1 | FileCheck %s --check-prefix=UNIT
; RUN: cilk-llvm-opt --passes=cilk-vectorise-kernels --unit=%t/unit.ll %t/lowered.ll -print-after=cilk-vectorise-kernels 2>&1 >/dev/null | FileCheck %s --check-prefix=PRINT
; WORD: error: a parameter of cilk-vectorise-kernels is a word of the lowering, but 'quick' is none; write lanes=simd
; UNIT: error: kernels belong to Cilk functions, but the unit of cilk-vectorise-kernels has none; name the translation unit with --unit=
; PRINT: IR Dump After cilk2gpu::VectoriseKernelsPass on [module]

; CHECK: @descriptor = constant [2 x ptr] [ptr @task.k0.simd.avx512, ptr null]
; CHECK: define void @task.k0.simd.avx512(ptr %{{.*}}) #[[ENTRY:[0-9]+]]
; CHECK: mul {{.*}}<16 x i32> %{{.*}}, splat (i32 3)
; CHECK: @llvm.masked.scatter.v16i32
; A function that kernels call for all lanes gets the target of its vectors. Bytes are compressed as words.
; CHECK: define internal <8 x i8> @packed(<8 x i8> %{{.*}}, <8 x i1> %{{.*}}) #[[CLONE:[0-9]+]]
; CHECK: call <8 x i16> @llvm.experimental.vector.compress.v8i16(
; CHECK-NOT: cilk2gpu-lane-clone
; CHECK: #[[ENTRY]] = {{.*}} "target-cpu"="x86-64-v4"
; CHECK: #[[CLONE]] = {{.*}} "target-cpu"="x86-64-v4"

; The kernels have no entries for AVX2.
; NONE: @descriptor = constant [2 x ptr] zeroinitializer

;--- lowered.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
@descriptor = constant [2 x ptr] [ptr @task.k0.simd.avx512, ptr @task.k1.simd.avx512]

declare i32 @triple(i32)
declare ptr @cilk2gpu.lane.deq.0..task.k0.lanes() memory(none)
declare ptr @cilk2gpu.lane.deq.0..task.k1.lanes() memory(none)

define void @task.k0.lanes() #0 {
  %place = call ptr @cilk2gpu.lane.deq.0..task.k0.lanes()
  %before = load i32, ptr %place, align 4
  %after = call i32 @triple(i32 %before)
  store i32 %after, ptr %place, align 4
  ret void
}
declare void @task.k0.lanes.avx512.wave(ptr)
define void @task.k0.simd.avx512(ptr %wave) "cilk2gpu-origin"="task" {
  call void @task.k0.lanes.avx512.wave(ptr %wave)
  ret void
}

define void @task.k1.lanes() #1 {
  %place = call ptr @cilk2gpu.lane.deq.0..task.k1.lanes()
  store i32 0, ptr %place, align 4
  ret void
}
declare void @task.k1.lanes.avx512.wave(ptr)
define void @task.k1.simd.avx512(ptr %wave) "cilk2gpu-origin"="task" {
  call void @task.k1.lanes.avx512.wave(ptr %wave)
  ret void
}
declare <8 x i8> @llvm.experimental.vector.compress.v8i8(<8 x i8>, <8 x i1>, <8 x i8>)
define <8 x i8> @packed(<8 x i8> %bytes, <8 x i1> %mask) #2 {
  %packed = call <8 x i8> @llvm.experimental.vector.compress.v8i8(<8 x i8> %bytes, <8 x i1> %mask, <8 x i8> zeroinitializer)
  ret <8 x i8> %packed
}
attributes #0 = { nounwind "cilk2gpu-lane-kernel" "cilk2gpu-origin"="task" "target-cpu"="x86-64" }
attributes #1 = { nounwind "cilk2gpu-lane-kernel" "cilk2gpu-lanes"="scalar" "cilk2gpu-origin"="task" "target-cpu"="x86-64" }
attributes #2 = { nounwind "cilk2gpu-lane-clone"="avx512" "target-cpu"="x86-64" }

;--- unit.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
declare void @__cilk2gpu_sync()

define i32 @triple(i32 %x) #0 {
  %tripled = mul i32 %x, 3
  ret i32 %tripled
}
define void @task(ptr %place) #0 {
  call void @__cilk2gpu_sync()
  ret void
}
attributes #0 = { nounwind "target-cpu"="x86-64" }
