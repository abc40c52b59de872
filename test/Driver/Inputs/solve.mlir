// A graph that is known at compile time: 0 -> 1 -> 3, 0 -> 2 -> 3, and 4 alone. Each node stores 1 plus the sum of its
// parents' numbers, which it gets by the same arrays.
channel.graph @graph {
  channel.blocks @solve fields(!llvm.ptr) body @node threads [1, 1, 1] starts = [0, 2, 3, 4, 4, 4] children = [1, 2, 3, 3]
}

llvm.func internal @node(%numbers: !llvm.ptr) attributes {channel.blocks = @graph::@solve} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %three = llvm.mlir.constant(3 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %x = channel.block_id x : i32
  %nodes = channel.grid_dim x : i32
  %at = llvm.getelementptr %numbers[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.store %nodes, %at : i32, !llvm.ptr
  llvm.switch %x : i32, ^end [
    1: ^child,
    2: ^child,
    3: ^last
  ]
^child:
  %root = llvm.load %numbers : !llvm.ptr -> i32
  %next = llvm.add %root, %one : i32
  llvm.store %next, %at : i32, !llvm.ptr
  llvm.return
^last:
  %at1 = llvm.getelementptr %numbers[1] : (!llvm.ptr) -> !llvm.ptr, i32
  %at2 = llvm.getelementptr %numbers[2] : (!llvm.ptr) -> !llvm.ptr, i32
  %left = llvm.load %at1 : !llvm.ptr -> i32
  %right = llvm.load %at2 : !llvm.ptr -> i32
  %sum = llvm.add %left, %right : i32
  llvm.store %sum, %at : i32, !llvm.ptr
  llvm.return
^end:
  llvm.return
}

llvm.mlir.global internal constant @format("%d %d %d %d %d\0A\00")
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.func @main() -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %five = llvm.mlir.constant(5 : i32) : i32
  %numbers = llvm.alloca %five x i32 : (i32) -> !llvm.ptr
  channel.launch_blocks @graph::@solve (%numbers : !llvm.ptr)
  %at1 = llvm.getelementptr %numbers[1] : (!llvm.ptr) -> !llvm.ptr, i32
  %at2 = llvm.getelementptr %numbers[2] : (!llvm.ptr) -> !llvm.ptr, i32
  %at3 = llvm.getelementptr %numbers[3] : (!llvm.ptr) -> !llvm.ptr, i32
  %at4 = llvm.getelementptr %numbers[4] : (!llvm.ptr) -> !llvm.ptr, i32
  %n0 = llvm.load %numbers : !llvm.ptr -> i32
  %n1 = llvm.load %at1 : !llvm.ptr -> i32
  %n2 = llvm.load %at2 : !llvm.ptr -> i32
  %n3 = llvm.load %at3 : !llvm.ptr -> i32
  %n4 = llvm.load %at4 : !llvm.ptr -> i32
  %format = llvm.mlir.addressof @format : !llvm.ptr
  llvm.call @printf(%format, %n0, %n1, %n2, %n3, %n4) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32, i32, i32, i32, i32) -> i32
  llvm.return %zero : i32
}
