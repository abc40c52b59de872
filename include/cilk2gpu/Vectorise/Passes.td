// Vectorisation of lane kernels.
#ifndef CILK2GPU_VECTORISE_PASSES_TD
#define CILK2GPU_VECTORISE_PASSES_TD

include "mlir/Pass/PassBase.td"

def VectoriseLanesPass : Pass<"vectorise-lanes", "::mlir::ModuleOp"> {
  let summary = "run a kernel for the lanes of a vector at once, under masks";
  let description = [{
    Every function with the LLVM function attribute `cilk2gpu-lane-kernel`, a
    kernel in terms of lane operations (calls of `cilk2gpu.lane.*`, see
    include/cilk2gpu/Vectorise/LaneOps.h), becomes a function of a wavefront, its name
    with `.wave` after it: its control flow is lifted to structured control flow, and emitted again with
    vectors of `length` lanes for what differs from lane to lane, scalars for
    what does not, and masks where lanes part.

    ```mlir
    // before: one lane
    %n = llvm.call @cilk2gpu.lane.deq.0() : () -> i32
    %m = llvm.add %n, %one : i32
    // after: the lanes of %mask
    %n = llvm.intr.masked.load %column, %mask, %poison {alignment = 1 : i32} : ...
    %m = llvm.add %n, %ones : vector<16xi32>
    ```

    A function's attributes `cilk2gpu-vector-length` and `cilk2gpu-vector-isa` precede the options. For an instruction
    set without masks and compressing stores (all but AVX-512), elements are compressed by permutations from a table, and what
    reaches beyond the elements that there are goes through memory on the stack.

    A function with the attribute `cilk2gpu-lane-clone`, what one lane does in a call, becomes vector clones: one for each
    choice of arguments that are the same in all lanes among the calls that kernels, and other clones, make.

    Functions that cannot be lifted, or compute with types that have no vector
    form, end in an error.
  }];
  let options = [Option<"length", "length", "unsigned", "32", "lanes of a vector: 4, 8, 16, 32 or 64">,
                 Option<"isa", "isa", "std::string", "\"avx512\"", "instruction set: avx512, avx2, sse or neon">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}

#endif // CILK2GPU_VECTORISE_PASSES_TD
