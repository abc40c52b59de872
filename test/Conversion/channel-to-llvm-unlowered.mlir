// Tests that a channel operation that no form of a function can hold is an error at its location.
// RUN: cilk-opt %s --split-input-file --convert-channel-to-llvm --verify-diagnostics

channel.graph @g {
  channel.stack @f (i32)
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [] publishes []
}
llvm.func @f.k0() attributes {channel.kernel = @g::@f.k0} {
  %element, %n = channel.deq @g::@f : i32
  channel.tfree @g::@f %element : !channel.element
  llvm.return
}
llvm.func @ordinary() {
  // expected-error@+1 {{'channel.site' op stands in a kernel's body; 'ordinary' is an ordinary function}}
  %site = channel.site : i32
  llvm.return
}
