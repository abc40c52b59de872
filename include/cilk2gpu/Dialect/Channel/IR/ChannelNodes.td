// Nodes of a channel-flow graph: operations of the `channel` dialect that stand in a channel.graph.
#ifndef CILK2GPU_DIALECT_CHANNEL_IR_CHANNELNODES_TD
#define CILK2GPU_DIALECT_CHANNEL_IR_CHANNELNODES_TD

include "cilk2gpu/Dialect/Channel/IR/ChannelDialect.td"
include "cilk2gpu/Dialect/Channel/IR/ChannelInterfaces.td"
include "mlir/Dialect/LLVMIR/LLVMAttrDefs.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"

class Channel_Op<string mnemonic, list<Trait> traits = []>
    : Op<Channel_Dialect, mnemonic, traits>;

def Channel_GraphOp : Channel_Op<"graph", [
    Symbol, SymbolTable, IsolatedFromAbove, NoTerminator, NoRegionArguments, SingleBlock]> {
  let summary = "hold the nodes of one channel-flow graph";
  let description = [{
    One translation unit contributes one graph. Graphs are merged when a program
    starts: stacks of the same name are the same stack.

    A graph holds nodes and edges: operations with `ChannelNodeOpInterface`.
    `policy` names the scheduling policy that the graph asks for. It is used
    unless the environment variable `CILK2GPU_POLICY` names another policy. A
    name that the run-time library does not know is an error when the program
    starts.

    The verifier refuses a graph in which a child is not awaited. For example,
    if `@fib.k0` spawns `@fib` and publishes `@fib.1`, then the dependency of
    `@fib.1` names `@fib`, or a stack whose tasks can spawn `@fib`.

    Example:

    ```mlir
    channel.graph @cilk {
      channel.stack @fib (i32, !llvm.ptr)
      channel.frame @fib.frame of @fib size 24 align 8
      channel.stack @fib.1 (!llvm.ptr) resumes @fib
      channel.kernel @fib.k0 segment 0 of @fib body @fib.k0 consumes @fib spawns [@fib] publishes [@fib.1]
      channel.kernel @fib.k1 segment 1 of @fib body @fib.k1 consumes @fib.1 spawns [] publishes []
      channel.depend @fib.1 on [@fib, @fib.1] drained below
    }
    llvm.func @fib.k0()
    llvm.func @fib.k1()
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$policy);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name (`policy` $policy^)? attr-dict-with-keyword $body";
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name), [{
    build($_builder, $_state, name, /*policy=*/::mlir::StringAttr());
  }]>];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

/// A node that has a name. `methods` are the methods of ChannelNodeOpInterface that the node defines itself.
class Channel_NodeOp<string mnemonic, list<string> methods, list<Trait> traits = []>
    : Channel_Op<mnemonic, [Symbol, HasParent<"GraphOp">,
        DeclareOpInterfaceMethods<Channel_NodeOpInterface, methods>] # traits>;

def Channel_QueueOp : Channel_NodeOp<"queue",
    ["getElementFields", "getRecordName", "takesSpawns", "verifyInGraph"]> {
  let summary = "declare a channel node: one bounded queue";
  let description = [{
    A queue in memory whose elements are consumed by exactly one kernel node.
    `width` is its capacity in elements, at all levels together. The capacity
    holds for each scheduler, and each worker of the CPU has a scheduler.

    Kernels enqueue to a queue as they enqueue to a stack. The scheduler drains
    queues before it runs other work of the same level and before it goes deeper.
    The consumer is segment 0 `of` the queue. It publishes nothing, and it enqueues
    to other queues only. The verifier refuses a cycle of queues, because the
    elements of a full cycle could never be consumed.

    Compiled programs use stacks. Graphs written by hand use queues, too.

    Example:

    ```mlir
    channel.graph @g {
      channel.queue @work (i32, f32) width 1024
      channel.kernel @print segment 0 of @work body @print consumes @work spawns [] publishes []
    }
    llvm.func @print()
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeArrayAttr:$fields,
                       ConfinedAttr<I64Attr, [IntPositive]>:$width);
  let assemblyFormat = [{
    $sym_name custom<FieldTypes>($fields) `width` custom<Integer>($width) attr-dict
  }];
}

def Channel_StackOp : Channel_NodeOp<"stack",
    ["getElementFields", "getRecordName", "takesSpawns", "verifyInGraph"]> {
  let summary = "declare a channel-stack node: one bounded queue per recursion level";
  let description = [{
    Without `resumes` it is a task's pre-sync stack. Its elements are the task's
    arguments and, if the task has a result, the destination. `result` is the
    index of the field that holds the destination: a pointer, or an `i32`, which
    is an offset among the frames (`channel.offset`,
    `channel-narrow-destinations`).

    With `resumes` it is the stack of one of that task's post-sync segments, and
    its only field is the frame. A dependency says when its elements are ready.

    `linkage` is the linkage of the task's descriptor. It is `weak` for a function
    that is ordinary in this unit and may be a Cilk function in another unit.

    `width` is a hint: the capacity of a pre-sync stack at one level, in elements.
    Without it, the width is chosen at run time. The environment variable
    `CILK2GPU_WIDTH` overrides the hint.

    Example: see `channel.graph`.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeArrayAttr:$fields,
                       OptionalAttr<FlatSymbolRefAttr>:$resumes, OptionalAttr<LinkageAttr>:$linkage,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$destination,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$width);
  let assemblyFormat = [{
    $sym_name custom<FieldTypes>($fields) (`result` $destination^)? (`width` $width^)? (`resumes` $resumes^)?
    attr-dict
  }];
  let extraClassDeclaration = [{
    /// Returns true if the destination is an offset among the frames.
    bool hasNarrowDestination();
  }];
  let hasVerifier = 1;
}

def Channel_FrameOp : Channel_NodeOp<"frame", ["verifyInGraph"]> {
  let summary = "declare the frames of a task: one bounded store per recursion level";
  let description = [{
    A frame is the memory that one activation of the task keeps across its syncs.
    It does not move while its task lives, because children hold pointers into it.
    A dispatch starts only when there is a frame for each of its lanes, so a
    `channel.talloc` of a frame never waits. `size` and `align` are in bytes.
    `fields` are pairs of offset and size, if they are known.

    With `columns`, the same field of neighbouring frames stands side by side
    (`channel-frame-columns`). `columns` has one number for each column: the size
    of the field in it, in bytes. The number is 0 if fields share the column, or
    if
    the column continues the field of the column before.

    Example: see `channel.graph`.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$task,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$size,
                       ConfinedAttr<I64Attr, [IntPositive]>:$align,
                       OptionalAttr<DenseI64ArrayAttr>:$fields,
                       OptionalAttr<DenseI64ArrayAttr>:$columns);
  let assemblyFormat = [{
    $sym_name `of` $task `size` custom<Integer>($size) `align` custom<Integer>($align) attr-dict
  }];
}

def Channel_KernelOp : Channel_NodeOp<"kernel", ["getConsumedNode", "getSpawnedNodes", "verifyInGraph"],
    [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "declare a kernel node: one segment of a task";
  let description = [{
    Segment 0 is pre-sync and consumes the task's own stack, or a queue. The other
    segments consume the stack that resumes them. `spawns` are the pre-sync stacks
    and queues, one level deeper, that the body enqueues to. `publishes` are the
    post-sync stacks at its own level. `body` is the `llvm.func`, beside the graph,
    that one lane runs.

    A return of the body that hands its frame to a post-sync stack has the unit
    attribute `channel.hands_over`. At other returns the frame is freed.

    Example: see `channel.graph`.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, ConfinedAttr<I64Attr, [IntNonNegative]>:$segment,
                       FlatSymbolRefAttr:$task, FlatSymbolRefAttr:$body, FlatSymbolRefAttr:$consumes,
                       TypedArrayAttrBase<FlatSymbolRefAttr, "stacks">:$spawns,
                       TypedArrayAttrBase<FlatSymbolRefAttr, "stacks">:$publishes);
  let assemblyFormat = [{
    $sym_name `segment` custom<Integer>($segment) `of` $task `body` $body `consumes` $consumes
    `spawns` $spawns `publishes` $publishes attr-dict
  }];
}

def Channel_DependOp : Channel_Op<"depend", [HasParent<"GraphOp">,
    DeclareOpInterfaceMethods<Channel_NodeOpInterface, ["getAwaitedNodes", "getWaitingNode"]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "declare when the elements of a post-sync stack are ready";
  let description = [{
    An element of `stack` at level d is ready when the nodes in `on` hold nothing
    at levels deeper than d (levelization; Orr et al., section 5.2). A node holds
    its reserved, ready, dispatched, yielded and stolen elements.

    A stack in `on` stands for its task and for all tasks that this task can
    reach, also in other translation units. The runtime finds them when the
    program starts. The policy decides in which order levels are drained, and so
    when a scheduler asks for readiness (`channel.graph`).

    Each post-sync stack has a dependency. The dependency must cover all work that
    is spawned before the stack's sync.

    Example: see `channel.graph`.
  }];
  let arguments = (ins FlatSymbolRefAttr:$stack, TypedArrayAttrBase<FlatSymbolRefAttr, "stacks">:$on);
  let assemblyFormat = "$stack `on` $on `drained` `below` attr-dict";
}

#endif // CILK2GPU_DIALECT_CHANNEL_IR_CHANNELNODES_TD
