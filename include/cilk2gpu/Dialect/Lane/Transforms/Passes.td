// Passes on the `lane` dialect.
#ifndef CILK2GPU_DIALECT_LANE_TRANSFORMS_PASSES_TD
#define CILK2GPU_DIALECT_LANE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def LaneEncodeCallsPass : Pass<"lane-encode-calls", "::mlir::ModuleOp"> {
  let summary = "turn lane operations into calls that LLVM's passes can work on";
  let description = [{
    Each lane operation becomes the call of a function that is declared in the
    module. The function's name encodes the operation, its attributes and the
    lane form. The declaration says what the operation does to memory.

    ```mlir
    // before
    %n = lane.deq 0 : i32
    lane.accumulate add %n into %total : i32
    // after, in the lane form f
    %n = llvm.call @cilk2gpu.lane.deq.0..f() : () -> i32
    llvm.call @cilk2gpu.lane.accumulate.add.0..f(%n, %total) : (i32, !llvm.ptr) -> ()
    ```

    All calls of one function have the same types. The types of results and
    accumulations differ from call to call, so each of these calls has a function
    of its own, whose name has a number. The number has no other meaning.

    Postcondition: no `lane` operation is left. `lane-decode-calls` is the
    inverse.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def LaneDecodeCallsPass : Pass<"lane-decode-calls", "::mlir::ModuleOp"> {
  let summary = "turn the calls that lane-encode-calls made back into lane operations";
  let description = [{
    Each call of a function whose name begins with `cilk2gpu.lane.` becomes the
    operation that the name encodes. The functions' declarations are erased. A
    name that encodes no operation, or a call whose operands do not fit its
    operation, is an error.

    ```mlir
    // before
    %ok = llvm.call @cilk2gpu.lane.spawn.1..f(%n) : (i32) -> i1
    // after
    %ok = lane.spawn 1 (%n : i32)
    ```
  }];
  let dependentDialects = ["::cilk2gpu::lane::LaneDialect"];
}

#endif // CILK2GPU_DIALECT_LANE_TRANSFORMS_PASSES_TD
