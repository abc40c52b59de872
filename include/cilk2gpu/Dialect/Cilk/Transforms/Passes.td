// Passes on the `cilk` dialect.
#ifndef CILK2GPU_DIALECT_CILK_TRANSFORMS_PASSES_TD
#define CILK2GPU_DIALECT_CILK_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def WrapOrdinaryCalleesPass : Pass<"cilk-wrap-ordinary-callees", "::mlir::ModuleOp"> {
  let summary = "give every ordinary function that is spawned a wrapper task that calls it";
  let description = [{
    An ordinary function has no spawn or sync, or is only declared here. If it is
    spawned, it gets a wrapper task that calls it. The attribute `cilk.wraps` of
    the task names the function.

    ```mlir
    // before
    cilk.spawn @work(%n) : (i32) -> ()
    // after
    cilk.spawn @work.task(%n) : (i32) -> ()
    llvm.func internal @work.task(%n: i32) attributes {cilk.wraps = @work, cilk.task} {
      llvm.call @work(%n) : (i32) -> ()
      llvm.return
    }
    ```

    Postcondition: the callee of every `cilk.spawn` is a `cilk.task` with a body.
  }];
  let statistics = [Statistic<"numWrapped", "wrapper-tasks", "Ordinary functions given a wrapper task">];
}

def InsertImplicitSyncsPass : Pass<"cilk-insert-implicit-syncs", "::mlir::ModuleOp"> {
  let summary = "sync before a return where a child may be outstanding; drop syncs where none can be";
  let description = [{
    A function syncs before it returns. The returned value is evaluated before
    that sync. A sync that no spawn reaches waits for nothing. It is removed, so
    that it makes no kernel.

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

def ReturnParametersPass : Pass<"cilk-return-parameters", "::mlir::ModuleOp"> {
  let summary = "let tasks return what they store through a pointer at their end";
  let description = [{
    Some tasks have no result, and store a number through a pointer parameter. If
    this store is the last thing that the task `f` does on every path, and the only
    use of the parameter, `f` gets a second form. This task, `f.value`, returns the
    number. All spawns and calls use it, so that later passes know the child's
    result, wherever it goes. `f` itself becomes one spawn of `f.value`.

    ```mlir
    // before: into(n - 1, &x)
    cilk.spawn @into(%n1, %x) : (i32, !llvm.ptr) -> ()
    // after
    cilk.spawn @into.value(%n1) into %x : (i32) -> i64
    ```

    Precondition: `cilk-create-elisions` has not run.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let statistics = [Statistic<"numReturning", "returning-tasks", "Tasks that return what they stored">];
}

def CreateElisionsPass : Pass<"cilk-create-elisions", "::mlir::ModuleOp"> {
  let summary = "give every task its serial elision, for calls from ordinary code inside a task";
  let description = [{
    Clones each Cilk function `f` to its serial elision `f.serial`. In it, spawns
    and plain calls are ordinary calls of other serial elisions, and syncs
    are gone. The attribute `cilk.elision` of `f` names the serial elision. A
    function that has a serial elision already keeps it.

    Precondition: plain calls of Cilk functions are still `cilk.call`
    (before `cilk-lower-calls`).
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def CallInPlacePass : Pass<"cilk-call-in-place", "::mlir::ModuleOp"> {
  let summary = "let plain calls in loops run in their caller where the runtime finds that faster";
  let description = [{
    A plain call in a loop gets a second way: the call of the callee's serial
    elision. The runtime takes it where one short call follows the other, because
    a dispatch of the graph takes longer than such a call.

    ```mlir
    // before
    %r = cilk.call @fib(%n) : (i32) -> i32
    // after
    %in_place = llvm.call @__cilk2gpu_call_in_place() : () -> i32
    llvm.cond_br (%in_place != 0), ^elision, ^graph
    ^elision: %e = llvm.call @fib.serial(%n); llvm.br ^rest(%e)
    ^graph:   %g = cilk.call @fib(%n);        llvm.br ^rest(%g)
    ^rest(%r):
    ```

    Tasks that may look up views of reducers keep their calls. Only scalar forms
    of kernels ask the runtime; all other forms take the graph.

    Precondition: `cilk-create-elisions` has run, and plain calls are still
    `cilk.call`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let statistics = [Statistic<"numCalls", "calls-in-place", "Plain calls that may run in their caller">];
}

def LowerCallsPass : Pass<"cilk-lower-calls", "::mlir::ModuleOp"> {
  let summary = "turn each plain call into a spawn and a sync";
  let description = [{
    ```mlir
    // before
    %r = cilk.call @fib(%n) : (i32) -> i32
    // after
    cilk.spawn @fib(%n) into %slot : (i32) -> i32
    cilk.sync
    %r = llvm.load %slot : !llvm.ptr -> i32
    ```

    The sync waits for all outstanding children of the caller, which may be more
    than the callee. Postcondition: no `cilk.call` is left.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def TrackStrandsPass : Pass<"cilk-track-strands", "::mlir::ModuleOp"> {
  let summary = "give the strands of tasks their views of reducers";
  let description = [{
    A *strand* is a part of a task without spawn and sync. Each strand has views
    of its own of the reducers that it looks up. This pass gives every task that
    may look up a view a second form, the task `f.strand`. Its last argument is
    its slot: the place of its views in the list of its parent. Calls of the
    runtime (`cilk2gpu/abi/StrandViews.h`) make a slot at each spawn, and reduce the
    views of the children at each sync, in serial order.

    ```mlir
    // before
    %v = llvm.call @__hyper_lookup(%key, %size, %identity, %reduce) : (...) -> !llvm.ptr
    cilk.spawn @f(%n) : (i32) -> ()
    cilk.sync
    // after, in f.strand
    %v = llvm.call @__cilk2gpu_views_lookup(%self, %key, %size, %identity, %reduce) : (...) -> !llvm.ptr
    %slot = llvm.call @__cilk2gpu_views_spawn(%self) : (!llvm.ptr) -> !llvm.ptr
    cilk.spawn @f.strand(%n, %slot) : (i32, !llvm.ptr) -> ()
    cilk.sync
    llvm.call @__cilk2gpu_views_sync(%self) : (!llvm.ptr) -> ()
    ```

    The function `f` is an ordinary function afterwards. It runs `f.strand` as a
    root, or calls its elision. Calls of ordinary functions that may look up a
    view stand between calls of `__cilk2gpu_views_enter` and
    `__cilk2gpu_views_leave`. The same holds for elisions of tasks: all of their
    code belongs to one strand.

    An ordered task has its slot in its record. `__cilk2gpu_depend_reserve` makes
    the slot where the task is created. Between `__cilk2gpu_depend_enter` and
    `__cilk2gpu_depend_leave`, the strands write into that slot.

    Which ordinary functions may look up a view is known from their attribute
    `cilk2gpu-looks-up`.

    The Cilk functions of a file with reducers have the attribute
    `cilk2gpu-tracks`. Those of other files have `cilk2gpu-tracks-if-used`: there, `f`
    stays a task, and names its second form in `cilk.strand_form`. Its entry starts
    the second form if the program has reducers. A spawn in `main` becomes two:

    ```mlir
    %slot = llvm.call @__cilk2gpu_views_spawn_if_used(%self) : (!llvm.ptr) -> !llvm.ptr
    %used = llvm.icmp "ne" %slot, %null : !llvm.ptr
    llvm.cond_br %used, ^strand, ^plain
    ```

    A module in which no function has one of these attributes is left alone.

    Preconditions: `cilk-create-elisions` and `cilk-lower-calls` have run.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::cilk2gpu::channel::ChannelDialect"];
  let statistics = [Statistic<"numTracked", "tracked-tasks", "Tasks whose views of reducers are tracked">];
}

def CombineResultsPass : Pass<"cilk-combine-results", "::mlir::ModuleOp"> {
  let summary = "let tasks that only fold their children's results add to an accumulator instead";
  let description = [{
    A task `f` gets a second form, the task `f.acc`, under two conditions:

    - Its result is an integer sum, minimum, maximum, `and`, `or` or `xor` of its
      own values and of its children's results.
    - Each result is taken exactly once on every path.

    `f.acc` takes an accumulator, folds its own values into it, and passes it to
    its children. The children need no result slot, and no continuation has to
    wait for them. `f` itself becomes one spawn of `f.acc`. Another task that
    spawns `f` into a local sets the local to the identity of the operation, and
    passes it as the accumulator.

    Children's results may go through variables, as results or by updates
    (`x += cilk_spawn f(n)`), and through arrays that a counter fills, or that are
    cleared before. A loop folds such an array. A local array or struct whose
    parts are used at constant places counts as one variable for each part. What a
    variable holds beside the children's results is a value of the task's own. The
    second form adds these values before the syncs where it can, because nobody
    reads the accumulator before the task has finished.

    A task that only returns the result of `f` folds like `f`. A task gets no
    second form if it also takes the result of a callee that folds with another
    operation, or not at all: the task has to wait for that result anyway.

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

    Arithmetic wraps in the accumulator. This changes no result, because the
    operations on integers are associative and commutative. Floating-point sums
    are combined only if the program allows their reassociation. C widens small
    integers to `int` before it folds
    them. They are folded in the type of the result if the value is the same. The
    accumulator of an `i1` is a byte.

    ```mlir
    // before: short x, y; return x + y
    %a = llvm.sext %x : i16 to i32
    %b = llvm.sext %y : i16 to i32
    %sum = llvm.add %a, %b : i32
    %r = llvm.trunc %sum : i32 to i16
    // after
    %r = llvm.add %x, %y : i16
    ```

    Preconditions: `cilk-create-elisions` and `cilk-lower-calls` have run. The
    program is free of races, so that nobody reads a result before its sync.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let statistics = [Statistic<"numCombined", "combined-tasks", "Tasks that got an accumulating form">];
}

def InlineEarlyReturnsPass : Pass<"cilk-inline-early-returns", "::mlir::ModuleOp"> {
  let summary = "let a parent do the work of children that return at once";
  let description = [{
    Some tasks soon decide to return, without a call, a spawn or a loop. This
    *early return* of a task is copied to its spawns. The parent then does the
    work
    of the child, and spawns only children that go on. The parent keeps the order
    of the serial elision. An early return of more than 16 operations is not
    copied, because an avoided element saves little more time than that.

    ```mlir
    // before
    cilk.spawn @fib.acc(%n1, %acc) : (i32, !llvm.ptr) -> ()
    // after
    %small = llvm.icmp "slt" %n1, %two : i32
    llvm.cond_br %small, ^early, ^more
    ^early:
      llvm.atomicrmw add %acc, %n1 monotonic {cilk.accumulate}
      llvm.br ^next
    ^more:
      cilk.spawn @fib.acc(%n1, %acc) : (i32, !llvm.ptr) -> ()
      llvm.br ^next
    ```

    A child that goes on repeats the operations in front of the decision, which
    only read. If only changed spawns can run a task, the task loses its early
    return. These spawns stay as they are:

    - spawns of functions that must not be inlined (`noinline`)
    - spawns in loops, whose children seldom return at once
    - spawns in functions for another target

    Preconditions: `cilk-create-elisions` and `cilk-lower-calls` have run. This
    pass runs after `cilk-combine-results`, whose tasks return early more often.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let statistics = [Statistic<"numCopies", "copied-early-returns", "Spawns that got a copy of their task's early return">];
}

#endif // CILK2GPU_DIALECT_CILK_TRANSFORMS_PASSES_TD
