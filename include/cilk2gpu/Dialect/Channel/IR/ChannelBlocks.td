// Dependency graphs of thread blocks: the node, its launch, and the operations of its functions.
#ifndef CILK2GPU_DIALECT_CHANNEL_IR_CHANNELBLOCKS_TD
#define CILK2GPU_DIALECT_CHANNEL_IR_CHANNELBLOCKS_TD

include "cilk2gpu/Dialect/Channel/IR/ChannelEnums.td"
include "cilk2gpu/Dialect/Channel/IR/ChannelNodes.td"
include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Channel_BlocksOp : Channel_NodeOp<"blocks", ["getElementFields"],
    [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "declare a block graph: thread blocks that wait for one another";
  let description = [{
    A channel whose elements are the blocks of a grid. A block is released when all
    its parents are done (Wireframe, MICRO 2017). `channel.launch_blocks` launches
    the whole grid and waits for all blocks.

    `body` is an `llvm.func` beside the graph that one thread of a block runs. Its
    parameters are `fields`: the arguments of the launch, the same for all blocks.
    A parameter for a struct or an array is its address. `threads` are the threads
    of a block along x, y and z. They may be left out: then each launch gives them.

    At most one of three parts says which blocks are parents. Without any of them,
    no block waits.

    - `links` is an `llvm.func` without parameters. It runs once for each block
      before the first block runs. Each `channel.link` in it adds one parent.
    - `offsets` are the distances from a block to its parents. Each distance is
      along x, y and z. A parent outside of the grid is no parent. An offset leads
      to a smaller block ID: the last coordinate that is not 0 is negative. The
      graph has no cycle therefore.
    - `starts` and `children` are a graph that is known at compile time. The
      children of node `n` are the entries `starts[n]` to `starts[n + 1] - 1` of
      `children`. There is one entry in `starts` more than there are nodes. The
      grid is a row: the node is the block ID along x.

    `policy` says which ready block runs next: `lrr`, the default, takes the one
    with the smallest block ID. `lvl` also keeps the levels of blocks that run at
    the same time less than or equal to `bound` apart. The level of a block is 1
    more than the largest level of its parents.

    `kernel` is an `llvm.func` beside the graph of the body's type: an ordinary
    function of the program that does the work of the body, too. A program that
    launches this function (`wf::launch` of cilk2gpu/Wireframe.h) launches the
    node. Such a launch gives the parents, the policy and the threads, so the node
    has none of them.

    Body and links have the attribute `channel.blocks`, which names the node. Only
    a launch calls them. Lanes of other kernels cannot enqueue to the node.

    Example:

    ```mlir
    channel.graph @g {
      channel.blocks @sw fields(!llvm.ptr, i32) body @sw.block links @sw.links threads [128, 1, 1] policy lvl bound 3
      channel.blocks @heat fields() body @heat.block threads [1, 1, 1] offsets = [[-1, 0, 0], [0, -1, 0]]
      channel.blocks @solve fields() body @solve.block threads [1, 1, 1] starts = [0, 2, 3, 3] children = [1, 2, 2]
    }
    llvm.func @sw.links() attributes {channel.blocks = @g::@sw} {
      %one = llvm.mlir.constant(1 : i32) : i32
      %x = channel.block_id x : i32
      %y = channel.block_id y : i32
      %z = channel.block_id z : i32
      %left = llvm.sub %x, %one : i32
      channel.link %left, %y, %z
      llvm.return
    }
    llvm.func @sw.block(!llvm.ptr, i32) attributes {channel.blocks = @g::@sw}
    llvm.func @heat.block() attributes {channel.blocks = @g::@heat}
    llvm.func @solve.block() attributes {channel.blocks = @g::@solve}
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeArrayAttr:$fields, FlatSymbolRefAttr:$body,
                       OptionalAttr<FlatSymbolRefAttr>:$links, OptionalAttr<FlatSymbolRefAttr>:$kernel,
                       OptionalAttr<DenseI64ArrayAttr>:$threads,
                       OptionalAttr<Channel_BlockPolicy>:$policy, OptionalAttr<I64Attr>:$bound,
                       OptionalAttr<DenseI64ArrayAttr>:$offsets, OptionalAttr<DenseI64ArrayAttr>:$starts,
                       OptionalAttr<DenseI64ArrayAttr>:$children);
  let assemblyFormat = [{
    $sym_name `fields` `` custom<FieldTypes>($fields) `body` $body (`links` $links^)? (`kernel` $kernel^)?
    (`threads` $threads^)?
    (`policy` $policy^ (`bound` $bound^)?)? (`offsets` `=` custom<Offsets>($offsets)^)?
    (`starts` `=` $starts^)? (`children` `=` $children^)? attr-dict
  }];
  let extraClassDeclaration = [{
    /// The number of offsets, and the offset of that number along x, y and z.
    size_t numOffsets() { return getOffsets() ? getOffsets()->size() / 3 : 0; }
    ::llvm::ArrayRef<int64_t> offset(size_t number) { return getOffsets()->slice(3 * number, 3); }
    /// Returns whether the graph is known at compile time.
    bool isStatic() { return getStarts().has_value(); }
  }];
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::ArrayAttr":$fields, "::llvm::StringRef":$body)>];
  let hasVerifier = 1;
}

//===-- In bodies and links of block graphs -----------------------------------------------------------------------===//

/// An operation of a function that belongs to a block graph, directly in its region.
class Channel_BlockOp<string mnemonic, list<Trait> traits = []>
    : Channel_Op<mnemonic, [HasParent<"::mlir::LLVM::LLVMFuncOp">,
        DeclareOpInterfaceMethods<SymbolUserOpInterface>] # traits>;

/// Yields a coordinate or an extent.
class Channel_BlockValueOp<string mnemonic> : Channel_BlockOp<mnemonic, [Pure]> {
  let arguments = (ins Channel_Dimension:$dimension);
  let results = (outs I32:$value);
  let assemblyFormat = "$dimension attr-dict `:` type($value)";
}

def Channel_BlockIdOp : Channel_BlockValueOp<"block_id"> {
  let summary = "get a coordinate of this block in its grid";
  let description = [{
    Coordinates start at 0. It stands in the body or the links of a block graph. In
    links it is the block whose parents are asked for.

    Example:

    ```mlir
    %x = channel.block_id x : i32
    ```
  }];
}

def Channel_ThreadIdOp : Channel_BlockValueOp<"thread_id"> {
  let summary = "get a coordinate of this thread in its block";
  let description = [{
    It stands in the body of a block graph.

    Example:

    ```mlir
    %lane = channel.thread_id x : i32
    ```
  }];
}

def Channel_GridDimOp : Channel_BlockValueOp<"grid_dim"> {
  let summary = "get the number of blocks of the grid along a dimension";
  let description = [{
    It stands in the body or the links of a block graph.

    Example:

    ```mlir
    %columns = channel.grid_dim x : i32
    ```
  }];
}

def Channel_BlockDimOp : Channel_BlockValueOp<"block_dim"> {
  let summary = "get the number of threads of a block along a dimension";
  let description = [{
    It stands in the body or the links of a block graph.

    Example:

    ```mlir
    %lanes = channel.block_dim x : i32
    ```
  }];
}

def Channel_BlockSyncOp : Channel_BlockOp<"block_sync"> {
  let summary = "wait until all threads of this block are here";
  let description = [{
    Memory that a thread has written before is visible to all threads of the block
    behind it. Either all threads of the block come here or none.

    The verifier refuses it where lanes diverge. A condition *depends* on the
    thread if it is computed from `channel.thread_id`, in a dimension with more
    than one thread, or whose extent the launch gives. It may be computed through
    operands of operations, through arguments of blocks, or chosen by a branch on
    such a condition.
    The operation must not stand between a branch on such a condition and the
    place where all paths from the branch meet again. If a path from the branch
    returns, then they do not meet again.

    The verifier does not look into memory and called functions. A value that is
    loaded counts as one that does not depend on the thread, unless its address
    does. Where such a condition differs between threads, the run ends with a
    message.

    Example:

    ```mlir
    channel.block_sync
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Channel_LinkOp : Channel_BlockOp<"link"> {
  let summary = "add a parent of this block";
  let description = [{
    It stands in the links of a block graph. Coordinates are compared as unsigned
    numbers with the extents of the grid. A parent outside of the grid is no
    parent. A parent that is added twice counts once.

    Example:

    ```mlir
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %x = channel.block_id x : i32
    %left = llvm.sub %x, %one : i32
    channel.link %left, %zero, %zero
    ```
  }];
  let arguments = (ins I32:$x, I32:$y, I32:$z);
  let assemblyFormat = "$x `,` $y `,` $z attr-dict";
}

//===-- On the host -----------------------------------------------------------------------------------------------===//

def Channel_LaunchBlocksOp : Channel_Op<"launch_blocks", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "run all blocks of a block graph, from the host";
  let description = [{
    The whole graph is checked before the first block runs. The operation waits
    until all blocks are done. `grid` has the extents along x, y and z; the last
    ones may be left out, and are 1 then. A grid with an extent of 0 runs nothing.
    A graph that is known at compile time (`starts`) has its grid itself. `threads`
    has the extents of a block, as `grid` has those of the grid. It stands in
    launches of a node without `threads`, and only there.

    The fields are the parameters of the body. A struct or an array is given by its
    address, and copied.

    Example:

    ```mlir
    channel.launch_blocks @cilk::@wave grid(%m, %m) (%array, %n : !llvm.ptr, i32)
    channel.launch_blocks @cilk::@row grid(%m) threads(%lanes) (%array : !llvm.ptr)
    ```
  }];
  let arguments = (ins SymbolRefAttr:$blocks, Variadic<I32>:$grid, Variadic<I32>:$threads, Variadic<AnyType>:$fields);
  let assemblyFormat = "$blocks (`grid` `(` $grid^ `)`)? (`threads` `(` $threads^ `)`)? (`(` $fields^ `:` type($fields) `)`)? attr-dict";
}

#endif // CILK2GPU_DIALECT_CHANNEL_IR_CHANNELBLOCKS_TD
