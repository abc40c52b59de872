// Conversions between dialects.
#ifndef CILK2GPU_CONVERSION_PASSES_TD
#define CILK2GPU_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertMarkersToCilkPass : Pass<"convert-markers-to-cilk", "::mlir::ModuleOp"> {
  let summary = "turn the frontend's marker calls into cilk operations";
  let description = [{
    The input is LLVM dialect, imported from the IR that Clang generated under the
    cilk2gpu frontend (include/cilk2gpu/Support/Markers.h).

    - A marked call and the store of its result become one `cilk.spawn`.
    - Functions with markers become `cilk.task`s, except `main`.
    - A plain call of a task in a task becomes `cilk.call`.

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

def ConvertCilkToChannelPass : Pass<"convert-cilk-to-channel", "::mlir::ModuleOp"> {
  let summary = "split Cilk functions at their syncs into the kernels of a channel-flow graph";
  let description = [{
    Each task `f` becomes

    - a pre-sync stack `@f`,
    - one kernel for the code before its first syncs (segment 0), and one for the
      continuation of each sync,
    - a frame for everything that lives across syncs: values, result slots of
      children, locals whose address escapes.

    A sync publishes the frame to the stack of its continuation. A spawn enqueues
    to the stack of the callee. A continuation makes no kernel if it does nothing
    and nobody points into the frame of its task. The function itself becomes the
    ordinary entry. It enqueues a root and runs the graph; inside a task it runs
    its serial elision instead.

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
    Kernel bodies become functions of a wavefront, a lane and a restart site,
    with loops over the lanes of a wavefront around them; the graph becomes the
    constant records of include/cilk2gpu/abi/Records.h, registered by a constructor.

    With `lane-forms=ISA+ISA..`, each kernel `k` that has one also gets a lane
    form `k.lanes`, for `vectorise-lanes`, and a vector entry `k.simd.ISA` for
    each of these instruction sets: the entry calls what vectorisation makes of
    it (`k.lanes.ISA.wave`) and stands in the descriptor.

    With `device-symbols=P`, each kernel `k` also gets a device form `k.device`,
    what one lane of a device does, whose channel operations are calls of the
    device runtime (include/cilk2gpu/abi/Device.h), and an entry in its descriptor beside
    its symbol in device images, which begins with `P`.

    With `counts`, lane functions stay functions of their own; the loops over
    lanes say where each begins, and a marker stands for each channel operation
    (include/cilk2gpu/abi/Counts.h).

    Precondition: `channel-make-resumable` has run. Postcondition: only LLVM
    dialect is left.
  }];
  let options = [Option<"laneForms", "lane-forms", "std::string", "\"\"",
                        "make lane forms for vectorisation with these instruction sets, with + between them">,
                 Option<"deviceSymbols", "device-symbols", "std::string", "\"\"",
                        "make device forms; what kernels' symbols in device images begin with">,
                 Option<"counts", "counts", "bool", "false", "prepare kernels for the counting of instructions">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // CILK2GPU_CONVERSION_PASSES_TD
