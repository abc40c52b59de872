// Vectorisation of lane kernels.
#ifndef CILK2GPU_VECTORISE_PASSES_TD
#define CILK2GPU_VECTORISE_PASSES_TD

include "mlir/Pass/PassBase.td"

def VectoriseLanesPass : Pass<"vectorise-lanes", "::mlir::ModuleOp"> {
  let summary = "run a kernel for the lanes of a vector at once, under masks";
  let description = [{
    A kernel of lane operations is a function with the LLVM function attribute
    `cilk2gpu-lane-kernel`. Its lane operations are calls of `cilk2gpu.lane.*`
    (include/cilk2gpu/Vectorise/LaneOps.h). It becomes a function of a wavefront,
    whose name ends in `.wave`. Its control flow is lifted to structured control
    flow, and emitted again with

    - vectors of `length` lanes for values that differ from lane to lane,
    - scalars for values that do not,
    - masks where lanes part.

    ```mlir
    // before: one lane
    %n = llvm.call @cilk2gpu.lane.deq.0() : () -> i32
    %m = llvm.add %n, %one : i32
    // after: the lanes of %mask
    %n = llvm.intr.masked.load %column, %mask, %poison {alignment = 1 : i32} : ...
    %m = llvm.add %n, %ones : vector<16xi32>
    ```

    The attributes `cilk2gpu-vector-length` and `cilk2gpu-vector-isa` of a function
    precede the options. An instruction set other than AVX-512 has no masks and no
    compressing stores. For such a set, elements are compressed by permutations
    from a table. Accesses that reach beyond the last element go through memory on
    the stack.

    A function with the attribute `cilk2gpu-lane-clone` does the work of one lane
    in a call. It becomes vector clones. Kernels and other clones call it with
    different choices of arguments that are the same in all lanes; there is one
    vector clone for each choice.

    A function that cannot be lifted, or computes with types that have no vector
    form, is an error.
  }];
  let options = [Option<"length", "length", "unsigned", "32", "lanes of a vector: 4, 8, 16, 32 or 64">,
                 Option<"isa", "isa", "std::string", "\"avx512\"", "instruction set: avx512, avx2, sse or neon">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}

#endif // CILK2GPU_VECTORISE_PASSES_TD
