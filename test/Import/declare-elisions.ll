; Tests that main calls its serial elision where everything runs serially.
; RUN: cilk-llvm-opt --passes=cilk-declare-elisions %s | FileCheck %s
declare void @__cilk2gpu_sync()

define internal i32 @other() {
  ret i32 1
}

; CHECK-LABEL: define i32 @main
; CHECK-NEXT: %[[SERIAL:.*]] = call i32 @__cilk2gpu_serial()
; CHECK-NEXT: %[[IS:.*]] = icmp ne i32 %[[SERIAL]], 0
; CHECK-NEXT: br i1 %[[IS]], label %[[ELIDED:.*]], label
; CHECK: call void @__cilk2gpu_sync()
; CHECK: [[ELIDED]]:
; CHECK-NEXT: call i32 @other
define i32 @main() "cilk2gpu-elision"="other" {
  call void @__cilk2gpu_sync()
  ret i32 0
}
