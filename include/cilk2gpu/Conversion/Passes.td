// Conversions between dialects.
#ifndef CILK2GPU_CONVERSION_PASSES_TD
#define CILK2GPU_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertMarkersToCilkPass : Pass<"convert-markers-to-cilk", "::mlir::ModuleOp"> {
  let summary = "turn the frontend's marker calls into cilk operations";
  let description = [{
    The input is the LLVM dialect, imported from the IR that Clang generated
    under the cilk2gpu frontend (include/cilk2gpu/Support/Markers.h).

    - A marked call and the store of its result become one `cilk.spawn`.
    - A function with markers becomes a `cilk.task`, unless it is `main`.
    - A plain call of a task in a task becomes a `cilk.call`.

    ```mlir
    // before
    llvm.call @__cilk2gpu_spawn_begin(%id, %x) : (i32, !llvm.ptr) -> ()
    %r = llvm.call @fib(%n) : (i32) -> i32
    llvm.store %r, %x : i32, !llvm.ptr
    llvm.call @__cilk2gpu_spawn_end(%id) : (i32) -> ()
    llvm.call @__cilk2gpu_sync() : () -> ()
    // after
    cilk.spawn @fib(%n) into %x : (i32) -> i32
    cilk.sync
    ```

    Postcondition: no marker call is left.
  }];
  let dependentDialects = ["::cilk2gpu::cilk::CilkDialect"];
}

def ConvertMarkersToBlocksPass : Pass<"convert-markers-to-blocks", "::mlir::ModuleOp"> {
  let summary = "turn kernels of thread blocks into nodes of the graph";
  let description = [{
    The input is the LLVM dialect, imported from LLVM IR. A function with the
    attribute `cilk2gpu-block-body` is the body of a kernel of thread blocks. The
    attribute names the kernel, an ordinary function of the same type. Markers
    stand for the index variables and for `wf::SyncThreads`
    (include/cilk2gpu/Support/Markers.h).

    - A node `channel.blocks` names the body and the kernel. Its fields are the
      parameters; of a struct that is passed by value, the struct.
    - The markers become operations of the `channel` dialect.

    ```mlir
    // before
    llvm.func @k.block(%p: !llvm.ptr) attributes {passthrough = [["cilk2gpu-block-body", "k"]]} {
      %zero = llvm.mlir.constant(0 : i32) : i32
      %x = llvm.call @__cilk2gpu_block_id(%zero) : (i32) -> i32
    // after
    channel.graph @cilk {
      channel.blocks @k fields(!llvm.ptr) body @k.block kernel @k
    }
    llvm.func @k(!llvm.ptr)
    llvm.func internal @k.block(%p: !llvm.ptr) attributes {channel.blocks = @cilk::@k} {
      %x = channel.block_id x : i32
    ```

    If a barrier stands behind a branch that depends on the thread, the body goes,
    and a remark says so: the kernel runs as an ordinary function.

    Postcondition: no marker of a kernel is left.
  }];
  let dependentDialects = ["::cilk2gpu::channel::ChannelDialect", "::mlir::LLVM::LLVMDialect"];
  let statistics = [Statistic<"numKernels", "block-kernels", "Kernels of thread blocks that became nodes">];
}

def ConvertCilkToChannelPass : Pass<"convert-cilk-to-channel", "::mlir::ModuleOp"> {
  let summary = "split Cilk functions at their syncs into the kernels of a channel-flow graph";
  let description = [{
    Each task `f` becomes:

    - a pre-sync stack `@f`;
    - one kernel for the code before its first syncs (segment 0), and one for each
      sync's continuation;
    - a frame that holds what lives across syncs: values, result slots of children,
      locals whose address escapes;
    - an ordinary entry under the function's own name, which enqueues a root and
      runs the graph. Inside a task it runs the function's elision instead.

    A sync publishes the frame to the stack of its continuation. A spawn enqueues
    to the callee's stack. A continuation that does nothing makes no kernel if
    nobody points into the task's frame.

    Preconditions: `cilk-wrap-ordinary-callees`, `cilk-insert-implicit-syncs`,
    `cilk-create-elisions` and `cilk-lower-calls` have run. Postcondition: no
    `cilk` operation is left.
  }];
  let dependentDialects = ["::cilk2gpu::channel::ChannelDialect", "::mlir::LLVM::LLVMDialect"];
  let statistics = [Statistic<"numKernels", "kernels", "Kernel nodes made">,
                    Statistic<"numFrameBytes", "frame-bytes", "Bytes of all tasks' frames">];
}

def ConvertChannelToLLVMPass : Pass<"convert-channel-to-llvm", "::mlir::ModuleOp"> {
  let summary = "lower kernels to wavefront functions and the graph to descriptors";
  let description = [{
    Each kernel body becomes a function of a wavefront, a lane and a restart
    site. A function with a loop over the lanes of a wavefront calls it. The graph
    becomes the constant records of include/cilk2gpu/abi/Records.h, which a
    constructor registers.

    ```mlir
    // before                                       // after
    channel.kernel @f.k0 ... body @f.k0             llvm.func @f.k0.lane(%wave, %lane, %site) {
    llvm.func @f.k0() {                               %n = llvm.load ...
      %ce, %n = channel.deq @g::@f : i32              llvm.return
      llvm.return                                   }
    }                                               llvm.func @f.k0(%wave) { // for each lane: f.k0.lane }
    ```

    The options add forms of a kernel `k`:

    - `lane-forms=ISA+ISA..` adds the lane form `k.lanes`, in terms of the `lane`
      dialect, if the kernel has one. For each instruction set it adds a vector
      entry `k.simd.ISA` to the kernel's descriptor. The entry calls the function
      `k.lanes.ISA.wave`, which `vectorise-lanes` makes of the lane form.
    - `device-symbols=P` adds the device form `k.device`: one lane of a device. Its
      channel operations are calls of the device runtime
      (include/cilk2gpu/abi/Device.h). The descriptor gets an entry for it and its
      symbol in device images, which begins with `P`.
    - `counts` prepares kernels for the counting of instructions. Lane functions
      are not inlined, the loops over lanes say where each lane begins, and a
      marker stands for each channel operation (include/cilk2gpu/abi/Counts.h).

    A block graph becomes a constant record (include/cilk2gpu/abi/BlockRecords.h),
    which launches hand to the runtime. Its body becomes a function of a place and
    the arguments, with a loop over the threads of a block. If the body has
    `channel.block_sync`, the function runs one thread instead. With `lane-forms`,
    the body also gets a lane form `body.lanes`, which is the code of one lane of a
    vector. Its lanes are neighbours along x. The entry `body.simd.ISA` calls the
    function that `vectorise-lanes` makes of it for each row of threads. If the
    body has `channel.block_sync`, there are entries for 16 and for 64 lanes, which
    run one vector of threads.

    Each form is a dialect conversion with a set of patterns of its own. In all of
    them the `channel` dialect is illegal: an operation that a form has no pattern
    for is an error at its location.

    Precondition: `channel-make-resumable` has run. Postcondition: only operations
    of the LLVM dialect are left; in lane forms, also those of the `lane` dialect.
  }];
  let options = [Option<"laneForms", "lane-forms", "std::string", "\"\"",
                        "make lane forms for vectorisation with these instruction sets, with + between them">,
                 Option<"deviceSymbols", "device-symbols", "std::string", "\"\"",
                        "make device forms; the value is the prefix of the kernels' symbols in device images">,
                 Option<"counts", "counts", "bool", "false", "prepare kernels for the counting of instructions">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::cilk2gpu::lane::LaneDialect"];
}

#endif // CILK2GPU_CONVERSION_PASSES_TD
