// The `cilk` dialect: what a fork-join program says, on functions of the LLVM dialect.
#ifndef CILK2GPU_DIALECT_CILK_IR_CILKDIALECT_TD
#define CILK2GPU_DIALECT_CILK_IR_CILKDIALECT_TD

include "mlir/IR/OpBase.td"

def Cilk_Dialect : Dialect {
  let name = "cilk";
  let cppNamespace = "::cilk2gpu::cilk";
  let summary = "Fork-join tasks on LLVM-dialect functions: spawn, sync, waited-for calls";
  let description = [{
    The `cilk` dialect says what a Cilk program says and nothing about how it
    runs. Its operations stand in the bodies of `llvm.func` operations that
    carry the unit attribute `cilk.task` (a *Cilk function*, or a plain function
    that is spawned), and in `main`, which is never a task.

    The *serial elision* of a function replaces each `cilk.spawn` by the call
    and the store of its result, and removes each `cilk.sync`. A program without
    determinacy races computes what its elision computes.

    Attributes of functions:

    | attribute      | meaning                                                   |
    | -------------- | --------------------------------------------------------- |
    | `cilk.task`    | the function can be spawned; it is cut at its syncs        |
    | `cilk.leaf`    | the plain function that this task function only forwards to |
    | `cilk.elision` | the function's serial elision (a symbol)                   |
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let hasOperationAttrVerify = 1;
}

#endif // CILK2GPU_DIALECT_CILK_IR_CILKDIALECT_TD
