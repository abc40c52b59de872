// Tests that calls that lane-encode-calls never makes are refused.
// RUN: cilk-opt %s --split-input-file --lane-decode-calls --verify-diagnostics

llvm.func @cilk2gpu.lane.twist..f() -> i32
llvm.func @f() {
  // expected-error@+1 {{the name of a lane operation is one of those that lane-encode-calls writes, but found 'twist'}}
  %n = llvm.call @cilk2gpu.lane.twist..f() : () -> i32
  llvm.return
}

// -----

llvm.func @cilk2gpu.lane.deq.first..f() -> i32
llvm.func @f() {
  // expected-error@+1 {{this one does not fit lane.deq}}
  %n = llvm.call @cilk2gpu.lane.deq.first..f() : () -> i32
  llvm.return
}

// -----

llvm.func @cilk2gpu.lane.accumulate.twice.0..f(i32, !llvm.ptr)
llvm.func @f(%n: i32, %p: !llvm.ptr) {
  // expected-error@+1 {{this one does not fit lane.accumulate}}
  llvm.call @cilk2gpu.lane.accumulate.twice.0..f(%n, %p) : (i32, !llvm.ptr) -> ()
  llvm.return
}
