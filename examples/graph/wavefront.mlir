// The best local alignment of two sequences (Smith-Waterman), as a graph of thread blocks, written by hand. Compile it
// with `cilk2gpu -O2 wavefront.mlir -o wavefront`, run `./wavefront 64`.
//
// A table has a cell for each pair of a letter of the one sequence and a letter of the other. A cell needs the cells on
// its left, above it, and between these two. A block computes a tile of 16 x 16 cells with 16 threads, a row each. Thread
// t starts t steps later than thread 0, so that the cells above its own are done.
//
// Two things here can be edited, and each changes what runs:
// - the policy: `policy lrr` takes ready blocks in any order, `policy lvl bound 3` keeps their levels close together;
// - the links: channel-find-block-offsets makes `offsets = [[-1, 0, 0], [0, -1, 0]]` of them, which one may write instead.

channel.graph @graph {
  channel.blocks @align fields(!llvm.ptr, i32) body @tile links @parents threads [16, 1, 1]
}

// Runs once for each block: it waits for the blocks on its left and above it. The tile between these two is done by then.
llvm.func internal @parents() attributes {channel.blocks = @graph::@align} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = channel.block_id x : i32
  %y = channel.block_id y : i32
  %z = channel.block_id z : i32
  %notFirst = llvm.icmp "ugt" %x, %zero : i32
  llvm.cond_br %notFirst, ^left, ^above
^left:
  %before = llvm.sub %x, %one : i32
  channel.link %before, %y, %z
  llvm.br ^above
^above: // in the first row, y - 1 is outside of the grid: no parent
  %over = llvm.sub %y, %one : i32
  channel.link %x, %over, %z
  llvm.return
}

// One thread of a block.
llvm.func internal @tile(%table: !llvm.ptr, %columns: i32) attributes {channel.blocks = @graph::@align} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %size = llvm.mlir.constant(16 : i32) : i32
  %steps = llvm.mlir.constant(31 : i32) : i32
  %x = channel.block_id x : i32
  %y = channel.block_id y : i32
  %thread = channel.thread_id x : i32
  %firstColumn = llvm.mul %x, %size : i32
  %firstRow = llvm.mul %y, %size : i32
  %row = llvm.add %firstRow, %thread : i32
  llvm.br ^step(%zero : i32)
^step(%step: i32):
  %k = llvm.sub %step, %thread : i32
  %inside = llvm.icmp "ult" %k, %size : i32
  llvm.cond_br %inside, ^cell, ^meet
^cell:
  %column = llvm.add %firstColumn, %k : i32
  llvm.call @fill(%table, %columns, %row, %column) : (!llvm.ptr, i32, i32, i32) -> ()
  llvm.br ^meet
^meet: // all threads come here in each step, so they may wait for one another
  channel.block_sync
  %next = llvm.add %step, %one : i32
  %more = llvm.icmp "ult" %next, %steps : i32
  llvm.cond_br %more, ^step(%next : i32), ^end
^end:
  llvm.return
}

// The rest is ordinary code in the LLVM dialect.

llvm.mlir.global internal constant @format("best score of %d letters: %d\0A\00")
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.func @atoi(!llvm.ptr) -> i32
llvm.func @calloc(i64, i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)

// Letter number %i of a sequence: two bits of a product.
llvm.func internal @letter(%i: i32, %factor: i32) -> i32 {
  %shift = llvm.mlir.constant(13 : i32) : i32
  %three = llvm.mlir.constant(3 : i32) : i32
  %product = llvm.mul %i, %factor : i32
  %bits = llvm.lshr %product, %shift : i32
  %letter = llvm.and %bits, %three : i32
  llvm.return %letter : i32
}

// max(0, above - 1, left - 1, between + (equal letters ? 2 : -1)). The table has a row and a column of zeros in front.
llvm.func internal @fill(%table: !llvm.ptr, %columns: i32, %row: i32, %column: i32) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %match = llvm.mlir.constant(2 : i32) : i32
  %mismatch = llvm.mlir.constant(-1 : i32) : i32
  %factor1 = llvm.mlir.constant(-1640531535 : i32) : i32
  %factor2 = llvm.mlir.constant(-2048144777 : i32) : i32
  %letter1 = llvm.call @letter(%row, %factor1) : (i32, i32) -> i32
  %letter2 = llvm.call @letter(%column, %factor2) : (i32, i32) -> i32
  %equal = llvm.icmp "eq" %letter1, %letter2 : i32
  %change = llvm.select %equal, %match, %mismatch : i1, i32
  %start = llvm.mul %row, %columns : i32
  %index = llvm.add %start, %column : i32
  %betweenAt = llvm.getelementptr %table[%index] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %aboveAt = llvm.getelementptr %betweenAt[1] : (!llvm.ptr) -> !llvm.ptr, i32
  %leftAt = llvm.getelementptr %betweenAt[%columns] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %at = llvm.getelementptr %leftAt[1] : (!llvm.ptr) -> !llvm.ptr, i32
  %between = llvm.load %betweenAt : !llvm.ptr -> i32
  %above = llvm.load %aboveAt : !llvm.ptr -> i32
  %left = llvm.load %leftAt : !llvm.ptr -> i32
  %both = llvm.add %between, %change : i32
  %gap = llvm.intr.smax(%above, %left) : (i32, i32) -> i32
  %gapped = llvm.sub %gap, %one : i32
  %better = llvm.intr.smax(%both, %gapped) : (i32, i32) -> i32
  %score = llvm.intr.smax(%better, %zero) : (i32, i32) -> i32
  llvm.store %score, %at : i32, !llvm.ptr
  llvm.return
}

llvm.func internal @best(%table: !llvm.ptr, %cells: i32) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^next(%zero, %zero : i32, i32)
^next(%i: i32, %best: i32):
  %at = llvm.getelementptr %table[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %score = llvm.load %at : !llvm.ptr -> i32
  %better = llvm.intr.smax(%best, %score) : (i32, i32) -> i32
  %following = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %following, %cells : i32
  llvm.cond_br %more, ^next(%following, %better : i32, i32), ^end
^end:
  llvm.return %better : i32
}

// Aligns two sequences of 16 * %tiles letters each.
llvm.func @main(%argc: i32, %argv: !llvm.ptr) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %size = llvm.mlir.constant(16 : i32) : i32
  %bytes = llvm.mlir.constant(4 : i64) : i64
  %default = llvm.mlir.constant(8 : i32) : i32
  %given = llvm.icmp "sgt" %argc, %one : i32
  llvm.cond_br %given, ^read, ^run(%default : i32)
^read:
  %place = llvm.getelementptr %argv[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  %text = llvm.load %place : !llvm.ptr -> !llvm.ptr
  %number = llvm.call @atoi(%text) : (!llvm.ptr) -> i32
  llvm.br ^run(%number : i32)
^run(%tiles: i32):
  %letters = llvm.mul %tiles, %size : i32
  %columns = llvm.add %letters, %one : i32
  %cells = llvm.mul %columns, %columns : i32
  %count = llvm.zext %cells : i32 to i64
  %table = llvm.call @calloc(%count, %bytes) : (i64, i64) -> !llvm.ptr
  channel.launch_blocks @graph::@align grid(%tiles, %tiles) (%table, %columns : !llvm.ptr, i32)
  %best = llvm.call @best(%table, %cells) : (!llvm.ptr, i32) -> i32
  llvm.call @free(%table) : (!llvm.ptr) -> ()
  %format = llvm.mlir.addressof @format : !llvm.ptr
  llvm.call @printf(%format, %letters, %best) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32, i32) -> i32
  llvm.return %zero : i32
}
