// Tests the diagnostics of vectorise-lanes.
// RUN: cilk-opt %s --vectorise-lanes --split-input-file --verify-diagnostics
// RUN: not cilk-opt %s --vectorise-lanes=length=7 2>&1 | FileCheck %s
// CHECK: error: the vector length is 4, 8, 16, 32 or 64, not 7

llvm.func @use(i128)
llvm.func @f() attributes {passthrough = ["cilk2gpu-lane-kernel"]} {
  // expected-error@+1 {{a value of type 'i128' has no vector form and differs from lane to lane}}
  %n = lane.deq 0 : i128
  llvm.call @use(%n) : (i128) -> ()
  llvm.return
}

// -----

// expected-error@+1 {{the control flow has no structure (a computed branch, an endless loop)}}
llvm.func @endless() attributes {passthrough = ["cilk2gpu-lane-kernel"]} {
  llvm.br ^loop
^loop:
  llvm.br ^loop
}
