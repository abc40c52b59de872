// Passes on the `cilk` dialect.
#ifndef CILK2GPU_DIALECT_CILK_TRANSFORMS_PASSES_TD
#define CILK2GPU_DIALECT_CILK_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def WrapPlainCalleesPass : Pass<"cilk-wrap-plain-callees", "::mlir::ModuleOp"> {
  let summary = "give every plain function that is spawned a task that calls it";
  let description = [{
    A spawned function that is not a Cilk function (it has no spawn or sync, or
    is only declared here) becomes the body of a task of its own, `cilk.leaf`.

    ```mlir
    // before
    cilk.spawn @work(%n) : (i32) -> ()
    // after
    cilk.spawn @work.task(%n) : (i32) -> ()
    llvm.func internal @work.task(%n: i32) attributes {cilk.leaf = @work, cilk.task} {
      llvm.call @work(%n) : (i32) -> ()
      llvm.return
    }
    ```

    Postcondition: the callee of every `cilk.spawn` is a `cilk.task` with a body.
  }];
  let statistics = [Statistic<"numWrapped", "leaf-tasks", "Plain functions given a task">];
}

def InsertImplicitSyncsPass : Pass<"cilk-insert-implicit-syncs", "::mlir::ModuleOp"> {
  let summary = "sync before a return where a child may be outstanding; drop syncs where none can be";
  let description = [{
    A function syncs before it returns; the returned value is evaluated first.
    A sync that no spawn reaches waits for nothing and is removed, so that it
    makes no kernel.

    ```mlir
    // before                          // after
    cilk.spawn @f() : () -> ()         cilk.spawn @f() : () -> ()
    llvm.return                        cilk.sync
                                       llvm.return
    ```
  }];
  let statistics = [Statistic<"numInserted", "syncs-inserted", "Implicit syncs made explicit">,
                    Statistic<"numRemoved", "syncs-removed", "Syncs with no outstanding child removed">];
}

def CreateElisionsPass : Pass<"cilk-create-elisions", "::mlir::ModuleOp"> {
  let summary = "give every task its serial elision, for calls from ordinary code inside a task";
  let description = [{
    Clones each Cilk function `f` to `f.serial`, in which spawns and waited-for
    calls are ordinary calls of other elisions and syncs are gone, and records
    it as `cilk.elision`. A function that has one already keeps it.

    Precondition: plain calls of Cilk functions are still `cilk.call`
    (before `cilk-lower-calls`).
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def LowerCallsPass : Pass<"cilk-lower-calls", "::mlir::ModuleOp"> {
  let summary = "turn a waited-for call into a spawn and a sync";
  let description = [{
    ```mlir
    // before
    %r = cilk.call @fib(%n) : (i32) -> i32
    // after
    cilk.spawn @fib(%n) into %slot : (i32) -> i32
    cilk.sync
    %r = llvm.load %slot : !llvm.ptr -> i32
    ```

    The sync waits for all outstanding children, which is more than the call
    must wait for and never less. Postcondition: no `cilk.call` is left.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // CILK2GPU_DIALECT_CILK_TRANSFORMS_PASSES_TD
