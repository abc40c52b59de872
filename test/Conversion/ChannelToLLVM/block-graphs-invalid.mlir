// Tests that block graphs which cannot be lowered are errors at their locations.
// RUN: cilk-opt %s --split-input-file --convert-channel-to-llvm --verify-diagnostics

channel.graph @g {
  // expected-error@+1 {{the functions of a block graph that is lowered are defined here, but @b.block is only declared}}
  channel.blocks @b fields() body @b.block threads [1, 1, 1]
}
llvm.func @b.block() attributes {channel.blocks = @g::@b}

// -----

channel.graph @g {
  // expected-note@+1 {{the block graph is here}}
  channel.blocks @b fields() body @b.block threads [1, 1, 1]
}
llvm.func @b.block() attributes {channel.blocks = @g::@b} {
  llvm.return
}
llvm.func @ordinary() {
  // expected-error@+1 {{only a launch calls @b.block, a function of a block graph; call a copy of it}}
  llvm.call @b.block() : () -> ()
  llvm.return
}

// -----

// A launch in the body of a block graph.
channel.graph @g {
  channel.blocks @b fields(i32) body @b.block threads [1, 1, 1]
}
llvm.func @b.block(%n: i32) attributes {channel.blocks = @g::@b} {
  // expected-error@+1 {{failed to legalize operation 'channel.launch_blocks' that was explicitly marked illegal}}
  channel.launch_blocks @g::@b grid(%n) (%n : i32)
  llvm.return
}

// -----

// A launch in a kernel.
channel.graph @g {
  channel.stack @f (i32)
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [] publishes []
  channel.blocks @b fields() body @b.block threads [1, 1, 1]
}
llvm.func @b.block() attributes {channel.blocks = @g::@b} {
  llvm.return
}
llvm.func @f.k0() attributes {channel.kernel = @g::@f.k0} {
  %element, %n = channel.deq @g::@f : i32
  channel.tfree @g::@f %element : !channel.element
  // expected-error@+1 {{failed to legalize operation 'channel.launch_blocks' that was explicitly marked illegal}}
  channel.launch_blocks @g::@b grid(%n)
  llvm.return
}
