// The `lane` dialect: the channel operations of a kernel, from the view of one lane.
#ifndef CILK2GPU_DIALECT_LANE_IR_LANEDIALECT_TD
#define CILK2GPU_DIALECT_LANE_IR_LANEDIALECT_TD

include "mlir/IR/OpBase.td"

def Lane_Dialect : Dialect {
  let name = "lane";
  let cppNamespace = "::cilk2gpu::lane";
  let summary = "Kernels for one lane, before they are vectorised";
  let description = [{
    The `lane` dialect describes a kernel's work with channels for one lane. A
    *lane form* is an `llvm.func` whose channel operations are operations of
    this dialect. Everything else in it is the LLVM dialect.

    ```mlir
    llvm.func @f.k0.lanes() attributes {passthrough = ["cilk2gpu-lane-kernel"]} {
      %n = lane.deq 0 : i32
      %x = lane.deq 1 : !llvm.ptr
      lane.result %n to %x : i32
      llvm.return
    }
    ```

    Three passes work on lane forms:

    1. `convert-channel-to-llvm` makes a lane form of each kernel that has one.
    2. LLVM simplifies lane forms. For this, each operation becomes a call of a
       function whose name encodes the operation (`lane-encode-calls`), and later
       an operation again (`lane-decode-calls`). The functions are declared with
       the operations' effects on memory, so that LLVM moves and merges the calls
       correctly.
    3. `vectorise-lanes` implements the operations for all lanes of a wavefront.

    A lane form is for fresh lanes. Lanes that restart run in the scalar kernel.

    Channels are numbered. A *field* is a field of the element that the kernel
    consumes. A *target* is a task that the kernel spawns. A *segment* is a
    post-sync segment of the kernel's own task.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // CILK2GPU_DIALECT_LANE_IR_LANEDIALECT_TD
