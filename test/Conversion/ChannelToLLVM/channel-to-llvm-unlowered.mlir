// Tests that a channel operation without a pattern in a function's form is an error at its location.
// RUN: cilk-opt %s --split-input-file --convert-channel-to-llvm --verify-diagnostics
// RUN: cilk-opt %s --split-input-file --convert-channel-to-llvm=device-symbols=k --verify-diagnostics
// RUN: cilk-opt %s --split-input-file --convert-channel-to-llvm=lane-forms=avx512 --verify-diagnostics

// A kernel's operation in an ordinary function.
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
  // expected-error@+1 {{failed to legalize operation 'channel.site' that was explicitly marked illegal}}
  %site = channel.site : i32
  llvm.return
}

// -----

// An ordinary function's operation in a kernel, whatever its form.
channel.graph @g {
  channel.stack @f (i32)
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [] publishes []
}
llvm.func @f.k0() attributes {channel.kernel = @g::@f.k0} {
  %element, %n = channel.deq @g::@f : i32
  channel.tfree @g::@f %element : !channel.element
  // expected-error@+1 {{failed to legalize operation 'channel.execute' that was explicitly marked illegal}}
  channel.execute
  llvm.return
}

// -----

// A reservation that may wait for space.
channel.graph @g {
  channel.stack @f (i32)
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [@f] publishes []
}
llvm.func @f.k0() attributes {channel.kernel = @g::@f.k0} {
  %element, %n = channel.deq @g::@f : i32
  channel.tfree @g::@f %element : !channel.element
  // expected-error@+1 {{may wait for space; run channel-make-resumable before this conversion}}
  %child = channel.talloc @g::@f : !channel.element
  channel.enq @g::@f %child (%n : i32)
  llvm.return
}
