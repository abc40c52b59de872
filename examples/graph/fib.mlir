// Fibonacci as a channel-flow graph, written by hand: compile it with `cilk2gpu -O2 fib.mlir -o fib`, run `./fib 20`.
//
// A task fib(n) either stores n to its destination, or enqueues three elements: fib(n - 1), fib(n - 2), and its own
// second half. The destinations of the two children are in its frame. The second half adds the two results when both
// children have run.

channel.graph @graph {
  // An element of @fib is a task: its argument, and the destination of its result.
  channel.stack @fib (i32, !llvm.ptr) result 1
  // The frame keeps data for the second half: two results of four bytes, and the task's own destination.
  channel.frame @fib.frame of @fib size 16 align 8
  // An element of @fib.1 is a second half: the task's frame.
  channel.stack @fib.1 (!llvm.ptr) resumes @fib

  channel.kernel @fib.k0 segment 0 of @fib body @first_half consumes @fib spawns [@fib] publishes [@fib.1]
  channel.kernel @fib.k1 segment 1 of @fib body @second_half consumes @fib.1 spawns [] publishes []

  // A second half is ready when no task and no second half is left below its level.
  channel.depend @fib.1 on [@fib, @fib.1] drained below
}

llvm.func internal @first_half() attributes {channel.kernel = @graph::@fib.k0} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %element, %n, %result = channel.deq @graph::@fib : i32, !llvm.ptr
  channel.tfree @graph::@fib %element : !channel.element
  %frame = channel.talloc @graph::@fib.frame : !llvm.ptr
  %small = llvm.icmp "slt" %n, %two : i32
  llvm.cond_br %small, ^store, ^spawn
^store:
  channel.tfree @graph::@fib.frame %frame : !llvm.ptr
  channel.result %n to %result : i32
  llvm.return
^spawn:
  %kept = llvm.getelementptr %frame[8] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %result, %kept : !llvm.ptr, !llvm.ptr
  %n1 = llvm.sub %n, %one : i32
  %child1 = channel.talloc @graph::@fib : !channel.element
  channel.enq @graph::@fib %child1 (%n1, %frame : i32, !llvm.ptr)
  %n2 = llvm.sub %n, %two : i32
  %place2 = llvm.getelementptr %frame[4] : (!llvm.ptr) -> !llvm.ptr, i8
  %child2 = channel.talloc @graph::@fib : !channel.element
  channel.enq @graph::@fib %child2 (%n2, %place2 : i32, !llvm.ptr)
  %half = channel.talloc @graph::@fib.1 : !channel.element
  channel.enq @graph::@fib.1 %half (%frame : !llvm.ptr)
  llvm.return {channel.hands_over}
}

llvm.func internal @second_half() attributes {channel.kernel = @graph::@fib.k1} {
  %element, %frame = channel.deq @graph::@fib.1 : !llvm.ptr
  channel.tfree @graph::@fib.1 %element : !channel.element
  %place2 = llvm.getelementptr %frame[4] : (!llvm.ptr) -> !llvm.ptr, i8
  %kept = llvm.getelementptr %frame[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %x = llvm.load %frame : !llvm.ptr -> i32
  %y = llvm.load %place2 : !llvm.ptr -> i32
  %result = llvm.load %kept : !llvm.ptr -> !llvm.ptr
  %sum = llvm.add %x, %y : i32
  channel.result %sum to %result : i32
  channel.tfree @graph::@fib.frame %frame : !llvm.ptr
  llvm.return
}

// The rest is ordinary code in the LLVM dialect.

llvm.mlir.global internal constant @format("fib(%d) = %d\0A\00")
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.func @atoi(!llvm.ptr) -> i32

// Enqueues the first task and runs the graph until nothing is left.
llvm.func @fib(%n: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %result = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  channel.root @graph::@fib (%n, %result : i32, !llvm.ptr)
  channel.execute
  %value = llvm.load %result : !llvm.ptr -> i32
  llvm.return %value : i32
}

llvm.func @main(%argc: i32, %argv: !llvm.ptr) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %default = llvm.mlir.constant(20 : i32) : i32
  %given = llvm.icmp "sgt" %argc, %one : i32
  llvm.cond_br %given, ^read, ^run(%default : i32)
^read:
  %place = llvm.getelementptr %argv[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  %text = llvm.load %place : !llvm.ptr -> !llvm.ptr
  %number = llvm.call @atoi(%text) : (!llvm.ptr) -> i32
  llvm.br ^run(%number : i32)
^run(%n: i32):
  %value = llvm.call @fib(%n) : (i32) -> i32
  %format = llvm.mlir.addressof @format : !llvm.ptr
  llvm.call @printf(%format, %n, %value) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32, i32) -> i32
  llvm.return %zero : i32
}
