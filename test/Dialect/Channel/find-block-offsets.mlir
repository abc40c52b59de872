// Tests which links of block graphs become constant offsets, and the reasons for which the others stay.
// RUN: cilk-opt %s --split-input-file --channel-find-block-offsets --verify-diagnostics | FileCheck %s

// Two parents without conditions; the one that is added twice counts once. The links are gone.
// CHECK: channel.blocks @plain fields() body @plain.block threads [1, 1, 1] offsets = {{\[\[}}-1, 0, 0], [3, -1, 0]]
// CHECK-NOT: @plain.links
channel.graph @g {
  channel.blocks @plain fields() body @plain.block links @plain.links threads [1, 1, 1]
}
llvm.func @plain.block() attributes {channel.blocks = @g::@plain}
// expected-remark@+1 {{block graph 'plain' has parents at constant offsets: no edges are stored}}
llvm.func @plain.links() attributes {channel.blocks = @g::@plain} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %minus = llvm.mlir.constant(-1 : i32) : i32
  %x = channel.block_id x : i32
  %y = channel.block_id y : i32
  %z = channel.block_id z : i32
  %left = llvm.sub %x, %one : i32
  channel.link %left, %y, %z
  %same = llvm.add %minus, %x : i32
  channel.link %same, %y, %z
  %right = llvm.add %x, %one : i32
  %further = llvm.add %two, %right : i32
  %above = llvm.add %y, %minus : i32
  channel.link %further, %above, %z
  llvm.return
}

// -----

// Conditions that hold wherever the parent is inside: x > 0; y != 0 and x + 1 < extent, joined; 0 <= y - 1 (signed).
// CHECK: channel.blocks @checked fields() body @checked.block threads [1, 1, 1] offsets = {{\[\[}}-1, 0, 0], [1, -1, 0], [0, -1, 0]]
channel.graph @g {
  channel.blocks @checked fields() body @checked.block links @checked.links threads [1, 1, 1]
}
llvm.func @checked.block() attributes {channel.blocks = @g::@checked}
// expected-remark@+1 {{block graph 'checked' has parents at constant offsets}}
llvm.func @checked.links() attributes {channel.blocks = @g::@checked} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = channel.block_id x : i32
  %y = channel.block_id y : i32
  %z = channel.block_id z : i32
  %columns = channel.grid_dim x : i32
  %positive = llvm.icmp "sgt" %x, %zero : i32
  llvm.cond_br %positive, ^left, ^next
^left:
  %before = llvm.sub %x, %one : i32
  channel.link %before, %y, %z
  llvm.br ^next
^next:
  %notFirst = llvm.icmp "ne" %y, %zero : i32
  %right = llvm.add %x, %one : i32
  %notLast = llvm.icmp "ult" %right, %columns : i32
  %both = llvm.and %notFirst, %notLast : i1
  %above = llvm.sub %y, %one : i32
  llvm.cond_br %both, ^corner(%above : i32), ^last
^corner(%row: i32):
  channel.link %right, %row, %z
  llvm.br ^last
^last:
  %inside = llvm.icmp "sge" %above, %zero : i32
  llvm.cond_br %inside, ^up, ^end
^up:
  channel.link %x, %above, %z
  llvm.return
^end:
  llvm.return
}

// -----

// A constant 0 serves in dimensions in which all launches have the extent 1.
// CHECK: channel.blocks @flat fields() body @flat.block threads [1, 1, 1] offsets = {{\[\[}}-1, 0, 0]]
channel.graph @g {
  channel.blocks @flat fields() body @flat.block links @flat.links threads [1, 1, 1]
}
llvm.func @flat.block() attributes {channel.blocks = @g::@flat}
// expected-remark@+1 {{block graph 'flat' has parents at constant offsets}}
llvm.func @flat.links() attributes {channel.blocks = @g::@flat} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = channel.block_id x : i32
  %left = llvm.sub %x, %one : i32
  channel.link %left, %zero, %zero
  llvm.return
}
llvm.func @host(%n: i32) {
  %one = llvm.mlir.constant(1 : i32) : i32
  channel.launch_blocks @g::@flat grid(%n)
  channel.launch_blocks @g::@flat grid(%n, %one, %one)
  llvm.return
}

// -----

// In another launch, the extent along y is not known.
// CHECK: channel.blocks @deep fields() body @deep.block links @deep.links threads [1, 1, 1]
channel.graph @g {
  channel.blocks @deep fields() body @deep.block links @deep.links threads [1, 1, 1]
}
llvm.func @deep.block() attributes {channel.blocks = @g::@deep}
// expected-remark@+1 {{block graph 'deep' runs its links for each block: a parent's y is not the block's own plus a constant}}
llvm.func @deep.links() attributes {channel.blocks = @g::@deep} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = channel.block_id x : i32
  %left = llvm.sub %x, %one : i32
  channel.link %left, %zero, %zero
  llvm.return
}
llvm.func @host(%n: i32) {
  channel.launch_blocks @g::@deep grid(%n)
  channel.launch_blocks @g::@deep grid(%n, %n)
  llvm.return
}

// -----

// x > 1 keeps the parent of the blocks at x = 1 out.
// CHECK: links @far.links
channel.graph @g {
  channel.blocks @far fields() body @far.block links @far.links threads [1, 1, 1]
}
llvm.func @far.block() attributes {channel.blocks = @g::@far}
// expected-remark@+1 {{a condition may keep a parent out that is inside of the grid}}
llvm.func @far.links() attributes {channel.blocks = @g::@far} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = channel.block_id x : i32
  %y = channel.block_id y : i32
  %z = channel.block_id z : i32
  %far = llvm.icmp "ugt" %x, %one : i32
  llvm.cond_br %far, ^left, ^end
^left:
  %left = llvm.sub %x, %one : i32
  channel.link %left, %y, %z
  llvm.br ^end
^end:
  llvm.return
}

// -----

// A condition on another dimension than the parent's distance.
// CHECK: links @other.links
channel.graph @g {
  channel.blocks @other fields() body @other.block links @other.links threads [1, 1, 1]
}
llvm.func @other.block() attributes {channel.blocks = @g::@other}
// expected-remark@+1 {{a condition may keep a parent out that is inside of the grid}}
llvm.func @other.links() attributes {channel.blocks = @g::@other} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = channel.block_id x : i32
  %y = channel.block_id y : i32
  %z = channel.block_id z : i32
  %below = llvm.icmp "ugt" %y, %zero : i32
  llvm.cond_br %below, ^left, ^end
^left:
  %left = llvm.sub %x, %one : i32
  channel.link %left, %y, %z
  llvm.br ^end
^end:
  llvm.return
}

// -----

// Without a sign, x - 2 >= 0 says nothing; as an unsigned number, x - 1 of x = 0 is large, and the comparison is not one of
// integers where the parent at x - 2 alone is known to be inside. Here it is known, so it is understood.
// CHECK: channel.blocks @wraps fields() body @wraps.block threads [1, 1, 1] offsets = {{\[\[}}-2, 0, 0]]
channel.graph @g {
  channel.blocks @wraps fields() body @wraps.block links @wraps.links threads [1, 1, 1]
}
llvm.func @wraps.block() attributes {channel.blocks = @g::@wraps}
// expected-remark@+1 {{block graph 'wraps' has parents at constant offsets}}
llvm.func @wraps.links() attributes {channel.blocks = @g::@wraps} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %x = channel.block_id x : i32
  %y = channel.block_id y : i32
  %z = channel.block_id z : i32
  %columns = channel.grid_dim x : i32
  %left = llvm.sub %x, %one : i32
  %less = llvm.icmp "ult" %left, %columns : i32
  llvm.cond_br %less, ^link, ^end
^link:
  %further = llvm.sub %x, %two : i32
  channel.link %further, %y, %z
  llvm.br ^end
^end:
  llvm.return
}

// -----

// x - 3 may be negative where the parent at x - 2 is inside: as an unsigned number it is large then.
// CHECK: links @large.links
channel.graph @g {
  channel.blocks @large fields() body @large.block links @large.links threads [1, 1, 1]
}
llvm.func @large.block() attributes {channel.blocks = @g::@large}
// expected-remark@+1 {{a condition may keep a parent out that is inside of the grid}}
llvm.func @large.links() attributes {channel.blocks = @g::@large} {
  %two = llvm.mlir.constant(2 : i32) : i32
  %three = llvm.mlir.constant(3 : i32) : i32
  %x = channel.block_id x : i32
  %y = channel.block_id y : i32
  %z = channel.block_id z : i32
  %columns = channel.grid_dim x : i32
  %left = llvm.sub %x, %three : i32
  %less = llvm.icmp "ult" %left, %columns : i32
  llvm.cond_br %less, ^link, ^end
^link:
  %further = llvm.sub %x, %two : i32
  channel.link %further, %y, %z
  llvm.br ^end
^end:
  llvm.return
}

// -----

// CHECK: links @loop.links
channel.graph @g {
  channel.blocks @loop fields() body @loop.block links @loop.links threads [1, 1, 1]
}
llvm.func @loop.block() attributes {channel.blocks = @g::@loop}
// expected-remark@+1 {{block graph 'loop' runs its links for each block: the function has a loop}}
llvm.func @loop.links() attributes {channel.blocks = @g::@loop} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = channel.block_id x : i32
  llvm.br ^all(%x : i32)
^all(%i: i32):
  %before = llvm.sub %i, %one : i32
  channel.link %before, %x, %x
  %more = llvm.icmp "ne" %before, %one : i32
  llvm.cond_br %more, ^all(%before : i32), ^end
^end:
  llvm.return
}

// -----

// CHECK: links @memory.links
channel.graph @g {
  channel.blocks @memory fields() body @memory.block links @memory.links threads [1, 1, 1]
}
llvm.mlir.global internal @distance(1 : i32) : i32
llvm.func @memory.block() attributes {channel.blocks = @g::@memory}
// expected-remark@+1 {{the function has more than links, conditions and sums: 'llvm.load'}}
llvm.func @memory.links() attributes {channel.blocks = @g::@memory} {
  %at = llvm.mlir.addressof @distance : !llvm.ptr
  %distance = llvm.load %at : !llvm.ptr -> i32
  %x = channel.block_id x : i32
  %left = llvm.sub %x, %distance : i32
  channel.link %left, %x, %x
  llvm.return
}

// -----

// CHECK: links @later.links
channel.graph @g {
  channel.blocks @later fields() body @later.block links @later.links threads [1, 1, 1]
}
llvm.func @later.block() attributes {channel.blocks = @g::@later}
// expected-remark@+1 {{a parent's block ID is not smaller than the block's}}
llvm.func @later.links() attributes {channel.blocks = @g::@later} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = channel.block_id x : i32
  %y = channel.block_id y : i32
  %z = channel.block_id z : i32
  %right = llvm.add %x, %one : i32
  channel.link %right, %y, %z
  llvm.return
}

// -----

// CHECK: links @elsewhere.links
channel.graph @g {
  channel.blocks @elsewhere fields() body @elsewhere.block links @elsewhere.links threads [1, 1, 1]
}
llvm.func @elsewhere.block() attributes {channel.blocks = @g::@elsewhere}
// expected-remark@+1 {{the function is only declared}}
llvm.func @elsewhere.links() attributes {channel.blocks = @g::@elsewhere}
