// Vectorisation of lane kernels.
#ifndef CILK2GPU_VECTORISE_PASSES_TD
#define CILK2GPU_VECTORISE_PASSES_TD

include "mlir/Pass/PassBase.td"

def VectoriseLanesPass : Pass<"vectorise-lanes", "::mlir::ModuleOp"> {
  let summary = "run a kernel for the lanes of a vector at once, under masks";
  let description = [{
    Makes a function of a wavefront from each lane form. A lane form is an
    `llvm.func` with the LLVM function attribute `cilk2gpu-lane-kernel`, whose
    channel operations are operations of the `lane` dialect. The name of the new
    function is the lane form's with `.wave` appended.

    ```mlir
    // before: one lane
    %n = lane.deq 0 : i32
    %m = llvm.add %n, %one : i32
    // after: the lanes of %mask
    %n = llvm.intr.masked.load %column, %mask, %poison {alignment = 1 : i32} : ...
    %m = llvm.add %n, %ones : vector<16xi32>
    ```

    The pass lifts the lane form's control flow to structured control flow, and
    then lowers it to vector code:

    - A value that differs from lane to lane becomes a vector of `length` lanes.
    - A value that all lanes share stays a scalar.
    - Where lanes diverge, each side of the branch runs under a mask.

    A lane form's attributes `cilk2gpu-vector-length` and `cilk2gpu-vector-isa`
    take precedence over the options.

    Only AVX-512 has masks and compressing stores. For the other instruction
    sets, permutations from a table compress elements. Instead of a masked access
    that would reach beyond the elements of the wavefront, data goes through
    memory
    on the stack.

    A lane form with the attribute `cilk2gpu-block-body` is the body of a block
    graph. Its parameters are those of the new function, which runs a row of
    threads. Lanes that access neighbouring elements share one access.

    A function with the attribute `cilk2gpu-lane-clone` describes a call for one
    lane. It becomes vector clones. Calls from kernels and other clones may differ
    in which arguments all lanes share, and each such choice gets one clone.

    A lane form that cannot be lifted is an error. So is a value that differs from
    lane to lane and is of a type without a vector form.
  }];
  let options = [Option<"length", "length", "unsigned", "32", "lanes of a vector: 4, 8, 16, 32 or 64">,
                 Option<"isa", "isa", "std::string", "\"avx512\"", "instruction set: avx512, avx2, sse or neon">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}

#endif // CILK2GPU_VECTORISE_PASSES_TD
