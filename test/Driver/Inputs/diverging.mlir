// Two threads load conditions of their own. Without an argument both come to the synchronisation, with one only the first
// one. The links add parents that are at no constant distance.
channel.graph @graph {
  channel.blocks @turn fields(!llvm.struct<(i32, i32)>) body @body links @links threads [2, 1, 1]
}
llvm.func internal @body(%flags: !llvm.ptr) attributes {channel.blocks = @graph::@turn} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %thread = channel.thread_id x : i32
  %at = llvm.getelementptr %flags[%thread] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %word = llvm.ptrtoint %at : !llvm.ptr to i64
  %one = llvm.mlir.constant(1 : i32) : i32
  %place = llvm.alloca %one x i64 : (i32) -> !llvm.ptr
  llvm.store %word, %place : i64, !llvm.ptr
  // The verifier does not look into memory.
  %again = llvm.load %place : !llvm.ptr -> !llvm.ptr
  %flag = llvm.load %again : !llvm.ptr -> i32
  %set = llvm.icmp "ne" %flag, %zero : i32
  llvm.cond_br %set, ^wait, ^end
^wait:
  channel.block_sync
  llvm.br ^end
^end:
  llvm.return
}
llvm.func internal @links() attributes {channel.blocks = @graph::@turn} {
  %two = llvm.mlir.constant(2 : i32) : i32
  %x = channel.block_id x : i32
  %y = channel.block_id y : i32
  %z = channel.block_id z : i32
  %columns = channel.grid_dim x : i32
  %half = llvm.udiv %x, %two : i32
  %first = llvm.icmp "eq" %x, %y : i32
  llvm.cond_br %first, ^end, ^link
^link:
  channel.link %half, %y, %z
  llvm.br ^end
^end:
  llvm.return
}
llvm.mlir.global internal constant @format("done\0A\00")
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.func @main(%argc: i32, %argv: !llvm.ptr) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %three = llvm.mlir.constant(3 : i32) : i32
  %flags = llvm.alloca %one x !llvm.struct<(i32, i32)> : (i32) -> !llvm.ptr
  %at1 = llvm.getelementptr %flags[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, i32)>
  %alone = llvm.icmp "eq" %argc, %one : i32
  %second = llvm.zext %alone : i1 to i32
  llvm.store %one, %flags : i32, !llvm.ptr
  llvm.store %second, %at1 : i32, !llvm.ptr
  channel.launch_blocks @graph::@turn grid(%three) (%flags : !llvm.ptr)
  %format = llvm.mlir.addressof @format : !llvm.ptr
  llvm.call @printf(%format) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr) -> i32
  llvm.return %zero : i32
}
