// The `cilk` dialect: fork-join programs as functions of the LLVM dialect.
#ifndef CILK2GPU_DIALECT_CILK_IR_CILKDIALECT_TD
#define CILK2GPU_DIALECT_CILK_IR_CILKDIALECT_TD

include "mlir/IR/OpBase.td"

def Cilk_Dialect : Dialect {
  let name = "cilk";
  let cppNamespace = "::cilk2gpu::cilk";
  let summary = "Fork-join tasks on LLVM-dialect functions: spawn, sync, plain calls";
  let description = [{
    The `cilk` dialect expresses spawns, syncs and plain calls. It does not say
    how
    the program runs. Its operations stand in two kinds of `llvm.func` bodies:

    - in tasks, which have the unit attribute `cilk.task`: a *Cilk function*, or an
      ordinary function that is spawned;
    - in `main`, which is never a task.

    The *serial elision* of a function replaces each `cilk.spawn` by the call
    and the store of its result, and removes each `cilk.sync`. A program without
    determinacy races computes what its elision computes.

    Attributes of functions:

    | attribute      | meaning                                                   |
    | -------------- | --------------------------------------------------------- |
    | `cilk.task`    | the function can be spawned; it is cut at its syncs        |
    | `cilk.wraps`   | the ordinary function that this wrapper task calls         |
    | `cilk.elision` | the function's serial elision (a symbol)                   |
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let hasOperationAttrVerify = 1;
}

#endif // CILK2GPU_DIALECT_CILK_IR_CILKDIALECT_TD
