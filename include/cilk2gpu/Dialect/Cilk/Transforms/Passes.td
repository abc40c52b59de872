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

def CombineResultsPass : Pass<"cilk-combine-results", "::mlir::ModuleOp"> {
  let summary = "let tasks that only fold their children's results add to an accumulator instead";
  let description = [{
    Where a task's result is an integer sum, minimum, maximum, `and`, `or` or
    `xor` of values of its own and of its children's results, each taken exactly
    once on every path, a second task `f.acc` is made of it. It takes an
    accumulator, folds its own values into that, and hands it on to its
    children: they need no result slot, and no continuation has to wait for
    them. `f` itself becomes one spawn of `f.acc`; other tasks that spawn `f` into
    a local set the local to the identity and hand it over as accumulator.

    Children's results may go through a variable each, or through an array that
    a counter fills and a loop folds.
    A task that takes another result, of a callee that folds otherwise or not at
    all, stays as it is: it has to wait for that one anyway.

    ```mlir
    // before: return fib(n - 1) + fib(n - 2)
    cilk.spawn @fib(%n1) into %x : (i32) -> i32
    cilk.spawn @fib(%n2) into %y : (i32) -> i32
    cilk.sync
    // in fib.acc
    cilk.spawn @fib.acc(%n1, %acc) : (i32, !llvm.ptr) -> ()
    cilk.spawn @fib.acc(%n2, %acc) : (i32, !llvm.ptr) -> ()
    cilk.sync
    ```

    Arithmetic wraps in the accumulator, which changes no result: the operations
    are associative and commutative on bits. Floating point is left alone. What
    C widens to `int` before it folds is folded in the result's own type, where
    that is the same; the accumulator of an `i1` is a byte.

    ```mlir
    // before: short x, y; return x + y
    %a = llvm.sext %x : i16 to i32
    %b = llvm.sext %y : i16 to i32
    %sum = llvm.add %a, %b : i32
    %r = llvm.trunc %sum : i32 to i16
    // after
    %r = llvm.add %x, %y : i16
    ```

    Preconditions: `cilk-create-elisions` and `cilk-lower-calls` have run; in a
    race-free program nobody reads a result before its sync.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let statistics = [Statistic<"numCombined", "combined-tasks", "Tasks that got an accumulating form">];
}

def InlineLeavesPass : Pass<"cilk-inline-leaves", "::mlir::ModuleOp"> {
  let summary = "run children that return at once where they are spawned";
  let description = [{
    Where a task soon decides to return, without a call, a spawn or a loop, that
    part of it is copied to its spawns: the parent does what the child would do,
    and spawns only children that go on. The order is the serial elision's. The
    copied part is small (at most 16 operations), because an element that is not
    made saves little more.

    ```mlir
    // before
    cilk.spawn @fib.acc(%n1, %acc) : (i32, !llvm.ptr) -> ()
    // after
    %small = llvm.icmp "slt" %n1, %two : i32
    llvm.cond_br %small, ^leaf, ^more
    ^leaf:
      llvm.atomicrmw add %acc, %n1 monotonic {cilk.accumulate}
      llvm.br ^next
    ^more:
      cilk.spawn @fib.acc(%n1, %acc) : (i32, !llvm.ptr) -> ()
      llvm.br ^next
    ```

    What a child does before it goes on, it does again: it only reads. A task that
    nothing but such spawns can run loses the part. Functions that are not to be
    inlined (`noinline`), spawns in loops, whose children seldom return at once,
    and spawns in functions for another target stay.

    Precondition: `cilk-create-elisions` and `cilk-lower-calls` have run. After
    `cilk-combine-results`, whose tasks have more such parts.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let statistics = [Statistic<"numCopies", "copied-leaves", "Spawns that got a copy of what their task does if it returns">];
}

#endif // CILK2GPU_DIALECT_CILK_TRANSFORMS_PASSES_TD
