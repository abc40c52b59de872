// Operations of the `cilk` dialect.
#ifndef CILK2GPU_DIALECT_CILK_IR_CILKOPS_TD
#define CILK2GPU_DIALECT_CILK_IR_CILKOPS_TD

include "cilk2gpu/Dialect/Cilk/IR/CilkDialect.td"
include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "mlir/IR/SymbolInterfaces.td"

class Cilk_Op<string mnemonic, list<Trait> traits = []>
    : Op<Cilk_Dialect, mnemonic, traits>;

def Cilk_Pointer : Type<LLVM_AnyPointer.predicate, "pointer in the default address space">,
    BuildableType<"::mlir::LLVM::LLVMPointerType::get($_builder.getContext())">;

def Cilk_SpawnOp : Cilk_Op<"spawn", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "call a function as a task that may run in parallel with its parent";
  let description = [{
    Creates a child task that runs `callee` with `args`. If `dest` is given, the
    child stores the result through it. The parent evaluates `args` and `dest`
    before the spawn; the child makes the call and the store. The child may run at
    once, later, or in parallel with the operations behind the spawn. The next
    `cilk.sync` of the parent waits for it.

    An argument whose parameter is `llvm.byval` is copied when the spawn
    executes; the parent may change the original afterwards.

    The memory at `dest`, and the memory that the child reaches through pointers,
    must stay valid until that sync. The lowering keeps locals whose address
    escapes in the parent's frame. `dest` need not be aligned for the result's
    type.
    Example:

    ```mlir
    cilk.spawn @fib(%n) into %x : (i32) -> i32
    cilk.spawn @visit(%node) : (!llvm.ptr) -> ()
    ```
  }];
  let arguments = (ins
    FlatSymbolRefAttr:$callee,
    Variadic<AnyType>:$args,
    Optional<Cilk_Pointer>:$dest,
    OptionalAttr<TypeAttr>:$result_type
  );
  let assemblyFormat = [{
    $callee `(` $args `)` (`into` $dest^)? attr-dict `:`
    custom<CalleeType>(type($args), $result_type)
  }];
}

def Cilk_CallOp : Cilk_Op<"call", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "call a Cilk function from a task and wait for it";
  let description = [{
    A plain call: a Cilk function calls a Cilk function without a spawn keyword.
    The result is that of an ordinary call. The lowering cuts the caller here as
    at
    a sync, so that the callee's own spawns run as tasks. An implementation may
    wait for more children than the callee, even for all outstanding children of
    the caller. It always waits for the callee.

    Example:

    ```mlir
    %r = cilk.call @fib(%n) : (i32) -> i32
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$args);
  let results = (outs Optional<AnyType>:$result);
  let assemblyFormat = [{
    $callee `(` $args `)` attr-dict `:` functional-type($args, results)
  }];
}

def Cilk_SyncOp : Cilk_Op<"sync"> {
  let summary = "wait for all children that this task has spawned";
  let description = [{
    Execution continues when every child spawned by this activation of the
    function has finished and stored its result. The effects of the children are
    then visible. A function syncs before it returns;
    `cilk-insert-implicit-syncs` makes these syncs explicit.

    Example:

    ```mlir
    cilk.sync
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif // CILK2GPU_DIALECT_CILK_IR_CILKOPS_TD
