// Operations of the `channel` dialect: graph nodes (ChannelNodes.td), and operations of kernels and hosts on channels.
#ifndef CILK2GPU_DIALECT_CHANNEL_IR_CHANNELOPS_TD
#define CILK2GPU_DIALECT_CHANNEL_IR_CHANNELOPS_TD

include "cilk2gpu/Dialect/Channel/IR/ChannelNodes.td"
include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Channel_ElementType : TypeDef<Channel_Dialect, "Element"> {
  let mnemonic = "element";
  let summary = "a channel element that a lane has reserved or dequeued";
  let description = [{
    Names one element (CE) of a channel between `talloc` and `enq`, or between
    `deq` and `tfree`. The operation that ends this state is its only use.
  }];
}

def Channel_Pointer : Type<LLVM_AnyPointer.predicate, "pointer in the default address space">,
    BuildableType<"::mlir::LLVM::LLVMPointerType::get($_builder.getContext())">;

//===-- In kernels ------------------------------------------------------------------------------------------------===//

def Channel_DeqOp : Channel_Op<"deq", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "get the element that this lane was dispatched with";
  let description = [{
    Yields the element and its fields. A field of struct or array type is
    yielded as a pointer into the element. `followed` (`channel-follow-pointers`)
    says where the lane will load from. It has pairs: the number of a pointer
    field, and the distance in bytes from its pointee to the loaded memory.

    Example:

    ```mlir
    %ce, %n, %dst = channel.deq @cilk::@fib : i32, !llvm.ptr
    channel.tfree @cilk::@fib %ce : !channel.element
    ```
  }];
  let arguments = (ins SymbolRefAttr:$channel, OptionalAttr<DenseI64ArrayAttr>:$followed);
  let results = (outs Channel_ElementType:$element, Variadic<AnyType>:$fields);
  let assemblyFormat = "$channel attr-dict (`:` type($fields)^)?";
}

def Channel_TallocOp : Channel_Op<"talloc", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "reserve an element in a channel, or a frame";
  let description = [{
    On a pre-sync stack or a queue: reserves one element. While there is no
    space, the lane waits and gives up its context (wavefront yield). The target
    decides how a lane waits: `channel-make-resumable` turns the wait into a save
    to the frame and a restart. On a post-sync stack or a frame node it never
    waits. Lanes that execute it together reserve together.

    Example:

    ```mlir
    %frame = channel.talloc @cilk::@fib.frame : !llvm.ptr
    %ce = channel.talloc @cilk::@fib : !channel.element
    ```
  }];
  let arguments = (ins SymbolRefAttr:$channel);
  let results = (outs AnyTypeOf<[Channel_ElementType, Channel_Pointer]>:$result);
  let assemblyFormat = "$channel attr-dict `:` type($result)";
}

def Channel_TryTallocOp : Channel_Op<"try_talloc", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "reserve an element in a channel if there is space";
  let description = [{
    Like `channel.talloc`, but does not wait. If there is no space, `granted` is
    false and `element` must not be used.

    Example:

    ```mlir
    %ce, %granted = channel.try_talloc @cilk::@fib
    ```
  }];
  let arguments = (ins SymbolRefAttr:$channel);
  let results = (outs Channel_ElementType:$element, I1:$granted);
  let assemblyFormat = "$channel attr-dict";
}

def Channel_EnqOp : Channel_Op<"enq", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "fill a reserved element and make it visible to the aggregator";
  let description = [{
    Writes the fields and publishes the element. The target may publish the
    elements of a wavefront together, at the latest when the wavefront ends or
    yields.

    Example:

    ```mlir
    %ce = channel.talloc @cilk::@fib : !channel.element
    channel.enq @cilk::@fib %ce (%m, %x : i32, !llvm.ptr)
    ```
  }];
  let arguments = (ins SymbolRefAttr:$channel, Channel_ElementType:$element, Variadic<AnyType>:$fields);
  let assemblyFormat = "$channel $element (`(` $fields^ `:` type($fields) `)`)? attr-dict";
}

def Channel_TfreeOp : Channel_Op<"tfree"> {
  let summary = "free a consumed element, or a frame";
  let description = [{
    Afterwards the frame, or the element's fields that were yielded by address,
    must not be used.

    Example:

    ```mlir
    %ce, %n, %dst = channel.deq @cilk::@fib : i32, !llvm.ptr
    channel.tfree @cilk::@fib %ce : !channel.element
    channel.tfree @cilk::@fib.frame %frame : !llvm.ptr
    ```
  }];
  let arguments = (ins SymbolRefAttr:$channel, AnyTypeOf<[Channel_ElementType, Channel_Pointer]>:$value);
  let assemblyFormat = "$channel $value attr-dict `:` type($value)";
}

def Channel_ResultOp : Channel_Op<"result"> {
  let summary = "store a task's result at its destination";
  let description = [{
    Stores `value` through `dest`. If `dest` is null, the parent does not use the
    result, and nothing is stored. `dest` need not be aligned for the value's
    type.

    Example:

    ```mlir
    channel.result %sum to %dst : i32
    ```
  }];
  let arguments = (ins AnyType:$value, Channel_Pointer:$dest);
  let assemblyFormat = "$value `to` $dest attr-dict `:` type($value)";
}

def Channel_OffsetOp : Channel_Op<"offset", [Pure]> {
  let summary = "turn an address in a frame or a slot into an offset of 32 bits";
  let description = [{
    Yields the offset of `address` in the range of addresses that holds the
    process's frames and slots. The unit is four bytes. `address` must be a
    multiple of four.

    Example:

    ```mlir
    %offset = channel.offset %x : i32
    ```
  }];
  let arguments = (ins Channel_Pointer:$address);
  let results = (outs I32:$offset);
  let assemblyFormat = "$address attr-dict `:` type($offset)";
}

def Channel_AddressOp : Channel_Op<"address", [Pure]> {
  let summary = "turn an offset of `channel.offset` back into the address";
  let description = [{
    Example:

    ```mlir
    %offset = channel.offset %x : i32
    %again = channel.address %offset : !llvm.ptr
    ```
  }];
  let arguments = (ins I32:$offset);
  let results = (outs Channel_Pointer:$address);
  let assemblyFormat = "$offset attr-dict `:` type($address)";
}

//===-- In resumable kernels --------------------------------------------------------------------------------------===//

def Channel_SiteOp : Channel_Op<"site"> {
  let summary = "get the site at which this lane restarts, or 0 for a fresh lane";
  let description = [{
    Example:

    ```mlir
    %site = channel.site : i32
    ```
  }];
  let results = (outs I32:$site);
  let assemblyFormat = "attr-dict `:` type($site)";
}

def Channel_RestartedFrameOp : Channel_Op<"restarted_frame"> {
  let summary = "get the frame of a lane that restarts at a site other than 0";
  let description = [{
    Example:

    ```mlir
    %frame = channel.restarted_frame : !llvm.ptr
    ```
  }];
  let results = (outs Channel_Pointer:$frame);
  let assemblyFormat = "attr-dict `:` type($frame)";
}

def Channel_YieldOp : Channel_Op<"yield"> {
  let summary = "give up this lane's context until the aggregator restarts it at `site`";
  let description = [{
    The lane has saved its live values in its frame. It returns after this
    operation.

    Example:

    ```mlir
    channel.yield %frame at 1
    ```
  }];
  let arguments = (ins Channel_Pointer:$frame, ConfinedAttr<I32Attr, [IntPositive]>:$site);
  let assemblyFormat = "$frame `at` custom<Site>($site) attr-dict";
}

//===-- On the host -----------------------------------------------------------------------------------------------===//

def Channel_SerialOp : Channel_Op<"serial"> {
  let summary = "tell whether an ordinary entry must run its serial elision";
  let description = [{
    True inside a task, and if the user chose the serial device.

    Example:

    ```mlir
    %serial = channel.serial : i1
    ```
  }];
  let results = (outs I1:$serial);
  let assemblyFormat = "attr-dict `:` type($serial)";
}

def Channel_RootOp : Channel_Op<"root", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "enqueue a root: an element at level 0, from the host";
  let description = [{
    The root runs in the next `channel.execute`, or in this operation if the
    channel has no space.

    Example:

    ```mlir
    channel.root @cilk::@fib (%n, %slot : i32, !llvm.ptr)
    ```
  }];
  let arguments = (ins SymbolRefAttr:$channel, Variadic<AnyType>:$fields);
  let assemblyFormat = "$channel (`(` $fields^ `:` type($fields) `)`)? attr-dict";
}

def Channel_SlotOp : Channel_Op<"slot"> {
  let summary = "get memory for a root's result that `channel.offset` can name";
  let description = [{
    Yields the address of `size` bytes among the frames, aligned to 16 bytes. They
    are valid until `channel.free_slot`.

    Example:

    ```mlir
    %slot = channel.slot 8 : !llvm.ptr
    channel.free_slot %slot size 8
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$size);
  let results = (outs Channel_Pointer:$address);
  let assemblyFormat = "custom<Integer>($size) attr-dict `:` type($address)";
}

def Channel_FreeSlotOp : Channel_Op<"free_slot"> {
  let summary = "give back the memory that `channel.slot` of the same size yielded";
  let description = [{
    Example: see `channel.slot`.
  }];
  let arguments = (ins Channel_Pointer:$address, ConfinedAttr<I64Attr, [IntNonNegative]>:$size);
  let assemblyFormat = "$address `size` custom<Integer>($size) attr-dict";
}

def Channel_ExecuteOp : Channel_Op<"execute"> {
  let summary = "run the graph from the host until nothing is left";
  let description = [{
    Example:

    ```mlir
    channel.execute
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif // CILK2GPU_DIALECT_CHANNEL_IR_CHANNELOPS_TD
