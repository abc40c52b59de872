; Tests that globals without a name get one.
; RUN: cilk-llvm-opt --passes=cilk-name-globals %s | FileCheck %s
; CHECK: @__cilk2gpu_anon{{[0-9]+}} = private constant i32 7
@0 = private constant i32 7
; CHECK: @named = global ptr @__cilk2gpu_anon
@named = global ptr @0
