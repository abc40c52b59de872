; Tests that a function reports its blocks, and that the marker of channel operations is gone afterwards.
; RUN: cilk-llvm-opt --passes=cilk-describe-channel-marker %s | FileCheck %s --check-prefix=MARKER
; RUN: cilk-llvm-opt --passes=cilk-count-instructions %s | FileCheck %s --implicit-check-not=__cilk2gpu_count_channel
; MARKER: declare void @__cilk2gpu_count_channel() #[[MARKER:[0-9]+]]
; MARKER: attributes #[[MARKER]] = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
declare void @__cilk2gpu_count_channel()

; The table of a block has a column for each class of instructions. `reads` has one load, and nothing else that counts.
; CHECK: @[[BLOCKS:.*]] = private constant [1 x {{.*}} { i32 0, i32 0, i32 0, i32 1, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0 }]

; CHECK-LABEL: define i32 @function
; CHECK: call ptr @__cilk2gpu_count_enter(
; CHECK: call ptr @__cilk2gpu_count_block(
; CHECK: call void @__cilk2gpu_count_leave(
define i32 @function(i32 %n) {
  call void @__cilk2gpu_count_channel()
  %sum = add i32 %n, 1
  ret i32 %sum
}

define i32 @reads(ptr %place) {
  %value = load i32, ptr %place
  ret i32 %value
}
