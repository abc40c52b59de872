; Tests that marks of lifetimes are removed, and the variable stays.
; RUN: cilk-llvm-opt --passes=cilk-drop-local-marks %s | FileCheck %s
; CHECK-LABEL: define i32 @function
; CHECK-NEXT: %local = alloca i32
; CHECK-NEXT: %value = load i32, ptr %local
define i32 @function() {
  %local = alloca i32
  call void @llvm.lifetime.start.p0(ptr %local)
  %value = load i32, ptr %local
  call void @llvm.lifetime.end.p0(ptr %local)
  ret i32 %value
}
