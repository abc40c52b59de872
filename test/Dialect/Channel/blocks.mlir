// Tests that block graphs and the operations of their functions round-trip, and that lanes may synchronise where they do
// not diverge.
// RUN: cilk-opt %s --verify-roundtrip | FileCheck %s
// RUN: cilk-opt %s | cilk-opt | FileCheck %s
// RUN: cilk-opt %s > %t.once.mlir
// RUN: cilk-opt %t.once.mlir | cmp - %t.once.mlir

// CHECK-LABEL: channel.graph @g {
channel.graph @g {
  // CHECK: channel.blocks @sw fields(!llvm.ptr, i32) body @sw.block links @sw.links threads [16, 8, 8] policy lvl bound 3
  channel.blocks @sw fields(!llvm.ptr, i32) body @sw.block links @sw.links threads [16, 8, 8] policy lvl bound 3
  // CHECK: channel.blocks @heat fields() body @heat.block threads [1, 1, 1] offsets = {{\[\[}}-1, 0, 0], [0, -1, 0], [1, 1, -1]]
  channel.blocks @heat fields() body @heat.block threads [1, 1, 1] offsets = [[-1, 0, 0], [0, -1, 0], [1, 1, -1]]
  // CHECK: channel.blocks @solve fields(!llvm.struct<(i32, i32)>) body @solve.block threads [32, 1, 1] policy lrr starts = [0, 2, 3, 3] children = [1, 2, 2]
  channel.blocks @solve fields(!llvm.struct<(i32, i32)>) body @solve.block threads [32, 1, 1] policy lrr starts = [0, 2, 3, 3] children = [1, 2, 2]
  // A child may have a smaller number than its parent.
  // CHECK: channel.blocks @back fields() body @back.block threads [1, 1, 1] starts = [0, 0, 1] children = [0]
  channel.blocks @back fields() body @back.block threads [1, 1, 1] starts = [0, 0, 1] children = [0]
  // CHECK: channel.blocks @none fields() body @none.block threads [1, 1, 1] starts = [0] children = []
  channel.blocks @none fields() body @none.block threads [1, 1, 1] starts = [0] children = []
  channel.blocks @row fields() body @row.block threads [64, 1, 1]
  channel.blocks @ways fields() body @ways.block threads [16, 1, 1]
  // CHECK: channel.blocks @apart fields() body @apart.block threads [1, 1, 1] offsets = []
  channel.blocks @apart fields() body @apart.block threads [1, 1, 1] offsets = []
  // The launch gives the extents of a block.
  // CHECK: channel.blocks @open fields() body @open.block policy lvl bound 2
  channel.blocks @open fields() body @open.block policy lvl bound 2
  // CHECK: channel.blocks @launched fields(i32) body @launched.block kernel @kernel{{$}}
  channel.blocks @launched fields(i32) body @launched.block kernel @kernel
}
llvm.func @kernel(i32)
llvm.func @launched.block(i32) attributes {channel.blocks = @g::@launched}
llvm.func @heat.block() attributes {channel.blocks = @g::@heat}
llvm.func @solve.block(!llvm.ptr) attributes {channel.blocks = @g::@solve}
llvm.func @back.block() attributes {channel.blocks = @g::@back}
llvm.func @none.block() attributes {channel.blocks = @g::@none}

// A block with one thread along y: its number is 0 in all threads.
// CHECK-LABEL: llvm.func @row.block
llvm.func @row.block() attributes {channel.blocks = @g::@row} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %y = channel.thread_id y : i32
  %first = llvm.icmp "eq" %y, %zero : i32
  llvm.cond_br %first, ^wait, ^end
^wait:
  // CHECK: channel.block_sync
  channel.block_sync
  llvm.br ^end
^end:
  llvm.return
}
llvm.func @apart.block() attributes {channel.blocks = @g::@apart}

// A loop with two ways back to its start, which the thread chooses: its counter is the same on both. A path that ends the
// program does not go on to the synchronisation.
// CHECK-LABEL: llvm.func @ways.block
llvm.func @ways.block() attributes {channel.blocks = @g::@ways} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %nine = llvm.mlir.constant(9 : i32) : i32
  %x = channel.thread_id x : i32
  llvm.br ^head(%zero : i32)
^head(%i: i32):
  %more = llvm.icmp "ult" %i, %nine : i32
  llvm.cond_br %more, ^body, ^exit
^body:
  // CHECK: channel.block_sync
  channel.block_sync
  %next = llvm.add %i, %one : i32
  %first = llvm.icmp "eq" %x, %i : i32
  llvm.cond_br %first, ^odd, ^head(%next : i32)
^odd:
  %bad = llvm.icmp "eq" %x, %nine : i32
  llvm.cond_br %bad, ^trap, ^head(%next : i32)
^trap:
  llvm.unreachable
^exit:
  llvm.return
}

// CHECK-LABEL: llvm.func @open.block
llvm.func @open.block() attributes {channel.blocks = @g::@open} {
  // CHECK: channel.block_dim y : i32
  %rows = channel.block_dim y : i32
  channel.block_sync
  llvm.return
}

// CHECK-LABEL: llvm.func @sw.links
llvm.func @sw.links() attributes {channel.blocks = @g::@sw} {
  // CHECK: channel.block_id x : i32
  %x = channel.block_id x : i32
  // CHECK: channel.block_id y : i32
  %y = channel.block_id y : i32
  // CHECK: channel.grid_dim z : i32
  %z = channel.grid_dim z : i32
  // CHECK: channel.link %{{.*}}, %{{.*}}, %{{.*$}}
  channel.link %x, %y, %z
  llvm.return
}

// A branch on a thread's number in front of a meeting place, and a uniform branch around a synchronisation.
// CHECK-LABEL: llvm.func @sw.block
llvm.func @sw.block(%h: !llvm.ptr, %n: i32) attributes {channel.blocks = @g::@sw} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  // CHECK: channel.thread_id x : i32
  %lane = channel.thread_id x : i32
  %first = llvm.icmp "eq" %lane, %zero : i32
  llvm.cond_br %first, ^store, ^meet(%n : i32)
^store:
  llvm.store %n, %h : i32, !llvm.ptr
  llvm.br ^meet(%n : i32)
^meet(%same: i32):
  // CHECK: channel.block_sync
  channel.block_sync
  %loaded = llvm.load %h : !llvm.ptr -> i32
  %some = llvm.icmp "slt" %loaded, %same : i32
  llvm.cond_br %some, ^loop(%zero : i32), ^end
^loop(%i: i32):
  // A loop whose number of iterations is the same for all threads.
  // CHECK: channel.block_sync
  channel.block_sync
  %next = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^loop(%next : i32), ^end
^end:
  llvm.return
}

// CHECK-LABEL: llvm.func @host
llvm.func @host(%n: i32, %h: !llvm.ptr) {
  // CHECK: channel.launch_blocks @g::@sw grid(%{{.*}}, %{{.*}}) (%{{.*}}, %{{.*}} : !llvm.ptr, i32)
  channel.launch_blocks @g::@sw grid(%n, %n) (%h, %n : !llvm.ptr, i32)
  // CHECK: channel.launch_blocks @g::@heat grid(%{{.*}}, %{{.*}}, %{{[a-z0-9]*}}){{$}}
  channel.launch_blocks @g::@heat grid(%n, %n, %n)
  // CHECK: channel.launch_blocks @g::@solve (%{{.*}} : !llvm.ptr)
  channel.launch_blocks @g::@solve (%h : !llvm.ptr)
  // CHECK: channel.launch_blocks @g::@back{{$}}
  channel.launch_blocks @g::@back
  // CHECK: channel.launch_blocks @g::@open grid(%{{.*}}) threads(%{{.*}}, %{{[a-z0-9]*}}){{$}}
  channel.launch_blocks @g::@open grid(%n) threads(%n, %n)
  llvm.return
}
