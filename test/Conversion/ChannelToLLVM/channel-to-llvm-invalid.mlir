// Tests that a kernel without a body is refused.
// RUN: cilk-opt %s --convert-channel-to-llvm --verify-diagnostics

channel.graph @g {
  channel.stack @f (i32)
  // expected-error@+1 {{the body of a kernel that is lowered is defined here, but @f.k0 is only declared}}
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [] publishes []
}
llvm.func @f.k0()
