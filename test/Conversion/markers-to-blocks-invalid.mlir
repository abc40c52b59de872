// Tests the error for a marker of a coordinate without a constant dimension.
// RUN: cilk-opt %s --convert-markers-to-blocks --verify-diagnostics
llvm.func @__cilk2gpu_block_id(i32) -> i32
llvm.func @k.block(%n: i32) attributes {passthrough = [["cilk2gpu-block-body", "k"]]} {
  // expected-error@+1 {{a marker of a coordinate takes a dimension, the constant 0, 1 or 2}}
  %x = llvm.call @__cilk2gpu_block_id(%n) : (i32) -> i32
  llvm.return
}
