// Tests the function that runs all threads of a batch of blocks. If the body is short, blocks of one thread have a loop of
// their own, without loops over threads. Threads that wait, and extents that are known, need no second loop.
// RUN: cilk-opt %s --convert-channel-to-llvm | FileCheck %s

module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<64> : vector<4xi64>, i32 = dense<32> : vector<2xi64>, i64 = dense<64> : vector<2xi64>>} {
channel.graph @g {
  channel.blocks @short fields() body @short.block
  channel.blocks @known fields() body @known.block threads [8, 1, 1]
  channel.blocks @waits fields() body @waits.block
}
llvm.func @use(i32)
llvm.func @short.block() attributes {channel.blocks = @g::@short} {
  %x = channel.block_id x : i32
  llvm.call @use(%x) : (i32) -> ()
  llvm.return
}
llvm.func @known.block() attributes {channel.blocks = @g::@known} {
  llvm.return
}
llvm.func @waits.block() attributes {channel.blocks = @g::@waits} {
  channel.block_sync
  llvm.return
}
}

// CHECK-LABEL: llvm.func internal @short.block(
// CHECK: %[[YZ:.*]] = llvm.or
// CHECK: %[[ALL:.*]] = llvm.or %{{.*}}, %[[YZ]]
// CHECK: %[[ONE:.*]] = llvm.icmp "eq" %[[ALL]],
// CHECK: llvm.cond_br %[[ONE]], ^[[FAST:bb[0-9]+]], ^[[SLOW:bb[0-9]+]]
// CHECK: ^[[FAST]]:
// CHECK: ^[[LOOP:bb[0-9]+]](%{{.*}}: i32):
// CHECK: llvm.call @short.block.thread(
// CHECK: llvm.icmp "ult"
// CHECK: llvm.cond_br %{{.*}}, ^[[LOOP]](
// CHECK: ^[[SLOW]]:
// CHECK: llvm.call @short.block.thread(
// CHECK-COUNT-4: llvm.icmp "ult"

// CHECK-LABEL: llvm.func internal @known.block(
// CHECK-NOT: llvm.or
// CHECK: llvm.call @known.block.thread(
// CHECK-NOT: llvm.call @known.block.thread(
// CHECK-LABEL: llvm.func internal @waits.block(
// CHECK-NOT: llvm.or
// CHECK: llvm.call @waits.block.thread(
// CHECK-NOT: llvm.call @waits.block.thread(
// CHECK: llvm.return
