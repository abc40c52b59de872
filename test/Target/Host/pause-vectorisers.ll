; Tests that a kernel with many spawns is not vectorised until it is released, and that other kernels are.
; RUN: cilk-llvm-opt --passes='function(cilk-pause-vectorisers)' %s | FileCheck %s --check-prefix=PAUSED
; RUN: cilk-llvm-opt --passes='function(cilk-pause-vectorisers),cilk-release-kernels' %s | FileCheck %s --check-prefix=RELEASED
declare i1 @__cilk2gpu_talloc()

; PAUSED: define void @many() #[[PAUSED:[0-9]+]]
; RELEASED: define void @many() {
define void @many() {
  %1 = call i1 @__cilk2gpu_talloc()
  %2 = call i1 @__cilk2gpu_talloc()
  %3 = call i1 @__cilk2gpu_talloc()
  %4 = call i1 @__cilk2gpu_talloc()
  %5 = call i1 @__cilk2gpu_talloc()
  %6 = call i1 @__cilk2gpu_talloc()
  %7 = call i1 @__cilk2gpu_talloc()
  %8 = call i1 @__cilk2gpu_talloc()
  %9 = call i1 @__cilk2gpu_talloc()
  %10 = call i1 @__cilk2gpu_talloc()
  %11 = call i1 @__cilk2gpu_talloc()
  %12 = call i1 @__cilk2gpu_talloc()
  %13 = call i1 @__cilk2gpu_talloc()
  %14 = call i1 @__cilk2gpu_talloc()
  %15 = call i1 @__cilk2gpu_talloc()
  %16 = call i1 @__cilk2gpu_talloc()
  %17 = call i1 @__cilk2gpu_talloc()
  ret void
}

; PAUSED: define void @few() {
define void @few() {
  %1 = call i1 @__cilk2gpu_talloc()
  ret void
}
; PAUSED: attributes #[[PAUSED]] = { noimplicitfloat "cilk2gpu-paused-vectorisers" }
