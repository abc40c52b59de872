// The `channel` dialect: a program as a channel-flow graph, and the channel operations in its kernels.
#ifndef CILK2GPU_DIALECT_CHANNEL_IR_CHANNELDIALECT_TD
#define CILK2GPU_DIALECT_CHANNEL_IR_CHANNELDIALECT_TD

include "mlir/IR/OpBase.td"

def Channel_Dialect : Dialect {
  let name = "channel";
  let cppNamespace = "::cilk2gpu::channel";
  let summary = "Channel-flow graphs: channels, channel stacks, kernel nodes and their dependencies";
  let description = [{
    The `channel` dialect says how a fork-join program runs (Orr et al., ISCA
    2014, sections 3 to 5). A `channel.graph` holds *nodes*:

    - `channel.queue`: a channel node, one bounded queue;
    - `channel.stack`: a channel-stack node, one bounded queue per recursion
      level. A task's pre-sync stack carries the task's name; each post-sync
      segment has a stack whose elements are frames;
    - `channel.frame`: the frames of a task, one bounded store per level;
    - `channel.kernel`: a kernel node, one segment of a task. Its body is an
      `llvm.func` beside the graph which describes *one lane*; a target decides
      how lanes make a wavefront;
    - `channel.depend`: a dependency between stacks (levelization).

    A new kind of node is one more operation with `ChannelNodeOpInterface`, in
    any dialect. Verifiers, printers and the emission of records know nodes by
    this interface only. Nodes for dependency graphs of thread blocks (Wireframe,
    MICRO 2017) are planned in this form.

    Inside kernel bodies a lane dequeues its element (`channel.deq`), reserves
    space (`channel.talloc`), publishes (`channel.enq`) and frees
    (`channel.tfree`). Levels are implicit. A kernel that runs at level d
    dequeues at d. It enqueues to pre-sync stacks at d + 1, and to its own
    task's post-sync stacks at d.

    A field of struct or array type is handled by address: `enq` takes a pointer
    to the value and copies it, and `deq` yields a pointer into the element. The
    pointer is valid until the element's `tfree`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let useDefaultTypePrinterParser = 1;
}

#endif // CILK2GPU_DIALECT_CHANNEL_IR_CHANNELDIALECT_TD
