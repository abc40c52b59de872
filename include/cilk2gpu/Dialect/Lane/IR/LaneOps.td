// Operations of the `lane` dialect.
#ifndef CILK2GPU_DIALECT_LANE_IR_LANEOPS_TD
#define CILK2GPU_DIALECT_LANE_IR_LANEOPS_TD

include "cilk2gpu/Dialect/Lane/IR/LaneDialect.td"
include "cilk2gpu/Dialect/Lane/IR/LaneEnums.td"
include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Lane_Op<string mnemonic, list<Trait> traits = []>
    : Op<Lane_Dialect, mnemonic, traits>;

def Lane_Pointer : Type<LLVM_AnyPointer.predicate, "pointer in the default address space">,
    BuildableType<"::mlir::LLVM::LLVMPointerType::get($_builder.getContext())">;

def Lane_Number : ConfinedAttr<I32Attr, [IntNonNegative]>;

//===-- The consumed element --------------------------------------------------------------------------------------===//

def Lane_DeqOp : Lane_Op<"deq", [Pure]> {
  let summary = "get a field of the lane's element";
  let description = [{
    Yields field number `field` of the element that the lane was dispatched
    with. The field's type is a scalar or a vector; `lane.address` is for structs
    and arrays.

    Example:

    ```mlir
    %n = lane.deq 0 : i32
    ```
  }];
  let arguments = (ins Lane_Number:$field);
  let results = (outs AnyType:$value);
  let assemblyFormat = "custom<Number>($field) attr-dict `:` type($value)";
  let hasVerifier = 1;
}

def Lane_AddressOp : Lane_Op<"address", [Pure]> {
  let summary = "get the address of a struct or an array in the lane's element";
  let description = [{
    Yields the address of field number `field`, which takes `size` bytes. The
    address is valid until the lane ends.

    Example:

    ```mlir
    %point = lane.address 1 size 24
    ```
  }];
  let arguments = (ins Lane_Number:$field, ConfinedAttr<I64Attr, [IntNonNegative]>:$size);
  let results = (outs Lane_Pointer:$address);
  let assemblyFormat = "custom<Number>($field) `size` custom<Size>($size) attr-dict";
}

//===-- Children --------------------------------------------------------------------------------------------------===//

def Lane_SpawnOp : Lane_Op<"spawn"> {
  let summary = "fill an element of a task that this kernel spawns";
  let description = [{
    Reserves an element of target number `target`, fills it with `values` and
    publishes it. If the channel has no space, `accepted` is false and nothing has
    changed.

    `fields` lists the types of the element's fields. It is given if a field is a
    struct or an array. The value of such a field is a pointer to the memory from
    which the field is copied.

    Example:

    ```mlir
    %accepted = lane.spawn 0 (%n, %x : i32, !llvm.ptr)
    %copied = lane.spawn 1 (%p : !llvm.ptr) fields [!llvm.struct<(i64, i64)>]
    ```
  }];
  let arguments = (ins Lane_Number:$target, Variadic<AnyType>:$values, OptionalAttr<TypeArrayAttr>:$fields);
  let results = (outs I1:$accepted);
  let assemblyFormat = [{
    custom<Number>($target) (`(` $values^ `:` type($values) `)`)? (`fields` $fields^)? attr-dict
  }];
  let extraClassDeclaration = [{
    /// Returns the type of field `index` if its value is a pointer to the memory to copy, else null.
    ::mlir::Type copiedType(unsigned index);
  }];
  let hasVerifier = 1;
}

def Lane_PublishOp : Lane_Op<"publish"> {
  let summary = "hand the lane's frame to a post-sync segment";
  let description = [{
    Publishes the frame as an element of the channel that feeds post-sync
    segment number `segment`. The channel always has space for it.

    Example:

    ```mlir
    lane.publish 1 %frame
    ```
  }];
  let arguments = (ins ConfinedAttr<I32Attr, [IntPositive]>:$segment, Lane_Pointer:$frame);
  let assemblyFormat = "custom<Number>($segment) $frame attr-dict";
}

def Lane_YieldOp : Lane_Op<"yield"> {
  let summary = "record the lane for a restart when there is space";
  let description = [{
    Follows a refused `lane.spawn`. The lane has saved its live values in its
    frame. It restarts at `site` in the scalar kernel when there is space.

    Example:

    ```mlir
    lane.yield %frame at %site
    ```
  }];
  let arguments = (ins Lane_Pointer:$frame, I32:$site);
  let assemblyFormat = "$frame `at` $site attr-dict";
}

//===-- Frames ----------------------------------------------------------------------------------------------------===//

def Lane_FrameOp : Lane_Op<"frame"> {
  let summary = "take a frame";
  let description = [{
    Takes one of the frames that the scheduler granted to the wavefront. There
    is one for each lane.

    Example:

    ```mlir
    %frame = lane.frame
    ```
  }];
  let results = (outs Lane_Pointer:$frame);
  let assemblyFormat = "attr-dict";
}

def Lane_FreeOp : Lane_Op<"free"> {
  let summary = "give a frame back";
  let description = [{
    Afterwards the lane does not use the frame.

    Example:

    ```mlir
    lane.free %frame
    ```
  }];
  let arguments = (ins Lane_Pointer:$frame);
  let assemblyFormat = "$frame attr-dict";
}

def Lane_PlaceOp : Lane_Op<"place", [Pure]> {
  let summary = "get the base address of a frame's field of several words";
  let description = [{
    In frames that lie in columns, a field of `words` words begins at this address
    plus the offset of the field's first column (`channel-frame-columns`).

    Example:

    ```mlir
    %place = lane.place %frame words 2
    ```
  }];
  let arguments = (ins Lane_Pointer:$frame, ConfinedAttr<I32Attr, [IntPositive]>:$words);
  let results = (outs Lane_Pointer:$place);
  let assemblyFormat = "$frame `words` custom<Number>($words) attr-dict";
}

//===-- Results ---------------------------------------------------------------------------------------------------===//

def Lane_ResultOp : Lane_Op<"result"> {
  let summary = "store a result at its destination";
  let description = [{
    Stores the value through `dest`. If `dest` is null, the parent does not use
    the result, and nothing is stored. `dest` may have any alignment. If there are
    two values, each takes eight bytes, and the second is stored behind the first.

    Example:

    ```mlir
    lane.result %sum to %x : i32
    lane.result %low, %high to %y : i64, i64
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values, Lane_Pointer:$dest);
  let assemblyFormat = "$values `to` $dest attr-dict `:` type($values)";
  let hasVerifier = 1;
}

def Lane_DestinationOp : Lane_Op<"destination", [Pure]> {
  let summary = "turn an offset of 32 bits into the address";
  let description = [{
    Yields an address in a frame or a slot, as `channel.address` does
    (`abi::kFrameUnit`).

    Example:

    ```mlir
    %x = lane.destination %offset
    ```
  }];
  let arguments = (ins I32:$offset);
  let results = (outs Lane_Pointer:$address);
  let assemblyFormat = "$offset attr-dict";
}

def Lane_AccumulateOp : Lane_Op<"accumulate"> {
  let summary = "fold a value into an accumulator";
  let description = [{
    Does `*pointer = *pointer o value` atomically, at some time before the
    kernel ends. `kind` names the operation `o`. Lanes fold their values in any
    order.

    Example:

    ```mlir
    lane.accumulate add %count into %total : i32
    ```
  }];
  let arguments = (ins Lane_FoldKind:$kind, AnyTypeOf<[AnySignlessInteger, AnyFloat]>:$value, Lane_Pointer:$pointer);
  let assemblyFormat = "$kind $value `into` $pointer attr-dict `:` type($value)";
  let hasVerifier = 1;
}

//===-- Threads of blocks -----------------------------------------------------------------------------------------===//

def Lane_ThreadOp : Lane_Op<"thread", [Pure]> {
  let summary = "get the number of the lane in its row";
  let description = [{
    Stands in the lane form of a block graph's body. The lanes of a vector are
    threads of one row: neighbours along x, with the same y and z. Then the
    number is the thread's coordinate along x. Or lanes are blocks. Then the
    number is that of the block in its batch.

    Example:

    ```mlir
    %x = lane.thread
    ```
  }];
  let results = (outs I32:$x);
  let assemblyFormat = "attr-dict";
}

def Lane_BarrierOp : Lane_Op<"barrier"> {
  let summary = "wait until all threads of the block are here";
  let description = [{
    Stands in the lane form of a block graph's body, as `channel.block_sync` does
    in the body. The lanes of a vector arrive together. If a lane of the vector
    does not take part, the run ends with a message.

    Example:

    ```mlir
    lane.barrier
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif // CILK2GPU_DIALECT_LANE_IR_LANEOPS_TD
