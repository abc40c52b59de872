; Tests that a kernel with many spawns, or with a wide phi, is not vectorised until it is released. Other kernels are, and
; so are other functions.
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
; PAUSED: define i32 @wide(i32 %choice) #[[PAUSED]]
define i32 @wide(i32 %choice) {
entry:
  %room = call i1 @__cilk2gpu_talloc()
  switch i32 %choice, label %end [
    i32 0, label %end
    i32 1, label %end
    i32 2, label %end
    i32 3, label %end
    i32 4, label %end
    i32 5, label %end
    i32 6, label %end
    i32 7, label %end
    i32 8, label %end
    i32 9, label %end
    i32 10, label %end
    i32 11, label %end
    i32 12, label %end
    i32 13, label %end
    i32 14, label %end
    i32 15, label %end
    i32 16, label %end
    i32 17, label %end
    i32 18, label %end
    i32 19, label %end
    i32 20, label %end
    i32 21, label %end
    i32 22, label %end
    i32 23, label %end
    i32 24, label %end
    i32 25, label %end
    i32 26, label %end
    i32 27, label %end
    i32 28, label %end
    i32 29, label %end
    i32 30, label %end
    i32 31, label %end
    i32 32, label %end
    i32 33, label %end
    i32 34, label %end
    i32 35, label %end
    i32 36, label %end
    i32 37, label %end
    i32 38, label %end
    i32 39, label %end
    i32 40, label %end
    i32 41, label %end
    i32 42, label %end
    i32 43, label %end
    i32 44, label %end
    i32 45, label %end
    i32 46, label %end
    i32 47, label %end
    i32 48, label %end
    i32 49, label %end
    i32 50, label %end
    i32 51, label %end
    i32 52, label %end
    i32 53, label %end
    i32 54, label %end
    i32 55, label %end
    i32 56, label %end
    i32 57, label %end
    i32 58, label %end
    i32 59, label %end
    i32 60, label %end
    i32 61, label %end
    i32 62, label %end
    i32 63, label %end
  ]
end:
  %value = phi i32 [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ]
  ret i32 %value
}

; PAUSED: define i32 @ordinary(i32 %choice) {
define i32 @ordinary(i32 %choice) {
entry:
  switch i32 %choice, label %end [
    i32 0, label %end
    i32 1, label %end
    i32 2, label %end
    i32 3, label %end
    i32 4, label %end
    i32 5, label %end
    i32 6, label %end
    i32 7, label %end
    i32 8, label %end
    i32 9, label %end
    i32 10, label %end
    i32 11, label %end
    i32 12, label %end
    i32 13, label %end
    i32 14, label %end
    i32 15, label %end
    i32 16, label %end
    i32 17, label %end
    i32 18, label %end
    i32 19, label %end
    i32 20, label %end
    i32 21, label %end
    i32 22, label %end
    i32 23, label %end
    i32 24, label %end
    i32 25, label %end
    i32 26, label %end
    i32 27, label %end
    i32 28, label %end
    i32 29, label %end
    i32 30, label %end
    i32 31, label %end
    i32 32, label %end
    i32 33, label %end
    i32 34, label %end
    i32 35, label %end
    i32 36, label %end
    i32 37, label %end
    i32 38, label %end
    i32 39, label %end
    i32 40, label %end
    i32 41, label %end
    i32 42, label %end
    i32 43, label %end
    i32 44, label %end
    i32 45, label %end
    i32 46, label %end
    i32 47, label %end
    i32 48, label %end
    i32 49, label %end
    i32 50, label %end
    i32 51, label %end
    i32 52, label %end
    i32 53, label %end
    i32 54, label %end
    i32 55, label %end
    i32 56, label %end
    i32 57, label %end
    i32 58, label %end
    i32 59, label %end
    i32 60, label %end
    i32 61, label %end
    i32 62, label %end
    i32 63, label %end
  ]
end:
  %value = phi i32 [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 0, %entry ]
  ret i32 %value
}
; PAUSED: attributes #[[PAUSED]] = { noimplicitfloat "cilk2gpu-paused-vectorisers" }
