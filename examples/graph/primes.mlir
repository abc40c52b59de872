// Counts the primes below a number, with a queue. Compile it with `cilk2gpu -O2 primes.mlir -o primes`, and run
// `./primes 1000`.
//
// A task of @range halves its range until one number is left, and hands that number to the queue @number. The queue's
// kernel divides the number by all smaller ones and counts it if none divides it.
//
// Three settings in this file can be edited, and each changes the run:
// - the policy, by which the scheduler chooses the next dispatch (CILK2GPU_POLICY overrides it);
// - the width of @range: the most ranges that wait at one level (CILK2GPU_WIDTH overrides it);
// - the width of @number: the most numbers that wait in the queue. In a narrow queue, lanes have to wait for space.

channel.graph @graph policy "levelized" {
  channel.stack @range (i32, i32) width 256
  // A lane that waits for space is kept in its frame.
  channel.frame @range.frame of @range size 8 align 8
  channel.kernel @range.k0 segment 0 of @range body @split consumes @range spawns [@range, @number] publishes []

  channel.queue @number (i32) width 128
  channel.kernel @number.k0 segment 0 of @number body @test consumes @number spawns [] publishes []
}

llvm.mlir.global internal @primes(0 : i32) : i32

llvm.func internal @split() attributes {channel.kernel = @graph::@range.k0} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %element, %first, %end = channel.deq @graph::@range : i32, i32
  channel.tfree @graph::@range %element : !channel.element
  %frame = channel.talloc @graph::@range.frame : !llvm.ptr
  %size = llvm.sub %end, %first : i32
  %single = llvm.icmp "eq" %size, %one : i32
  llvm.cond_br %single, ^hand, ^halve
^hand:
  %number = channel.talloc @graph::@number : !channel.element
  channel.enq @graph::@number %number (%first : i32)
  llvm.br ^done
^halve:
  %half = llvm.lshr %size, %one : i32
  %middle = llvm.add %first, %half : i32
  %low = channel.talloc @graph::@range : !channel.element
  channel.enq @graph::@range %low (%first, %middle : i32, i32)
  %high = channel.talloc @graph::@range : !channel.element
  channel.enq @graph::@range %high (%middle, %end : i32, i32)
  llvm.br ^done
^done:
  channel.tfree @graph::@range.frame %frame : !llvm.ptr
  llvm.return
}

llvm.func internal @test() attributes {channel.kernel = @graph::@number.k0} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %element, %n = channel.deq @graph::@number : i32
  channel.tfree @graph::@number %element : !channel.element
  llvm.br ^next(%two : i32)
^next(%divisor: i32):
  %left = llvm.icmp "slt" %divisor, %n : i32
  llvm.cond_br %left, ^divide, ^count
^divide:
  %rest = llvm.urem %n, %divisor : i32
  %divides = llvm.icmp "eq" %rest, %zero : i32
  %more = llvm.add %divisor, %one : i32
  llvm.cond_br %divides, ^end, ^next(%more : i32)
^count:
  %total = llvm.mlir.addressof @primes : !llvm.ptr
  %old = llvm.atomicrmw add %total, %one monotonic : !llvm.ptr, i32
  llvm.br ^end
^end:
  llvm.return
}

// The rest is ordinary code in the LLVM dialect.

llvm.mlir.global internal constant @format("%d primes below %d\0A\00")
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.func @atoi(!llvm.ptr) -> i32

llvm.func @main(%argc: i32, %argv: !llvm.ptr) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %default = llvm.mlir.constant(1000 : i32) : i32
  %given = llvm.icmp "sgt" %argc, %one : i32
  llvm.cond_br %given, ^read, ^check(%default : i32)
^read:
  %place = llvm.getelementptr %argv[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  %text = llvm.load %place : !llvm.ptr -> !llvm.ptr
  %value = llvm.call @atoi(%text) : (!llvm.ptr) -> i32
  llvm.br ^check(%value : i32)
^check(%n: i32):
  %some = llvm.icmp "sgt" %n, %two : i32
  llvm.cond_br %some, ^run, ^print
^run:
  channel.root @graph::@range (%two, %n : i32, i32)
  channel.execute
  llvm.br ^print
^print:
  %total = llvm.mlir.addressof @primes : !llvm.ptr
  %count = llvm.load %total : !llvm.ptr -> i32
  %format = llvm.mlir.addressof @format : !llvm.ptr
  llvm.call @printf(%format, %count, %n) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32, i32) -> i32
  llvm.return %zero : i32
}
