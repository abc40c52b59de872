// Passes on the `channel` dialect.
#ifndef CILK2GPU_DIALECT_CHANNEL_TRANSFORMS_PASSES_TD
#define CILK2GPU_DIALECT_CHANNEL_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def MakeResumablePass : Pass<"channel-make-resumable", "::mlir::ModuleOp"> {
  let summary = "let lanes that find no channel space save themselves in their frame and restart";
  let description = [{
    This pass serves targets without a hardware yield. Each `channel.talloc` of a
    pre-sync stack becomes a *site*. If `channel.try_talloc` is refused there, the
    lane stores its live values into its frame, records `channel.yield` and
    returns. A restarted lane enters its kernel through a switch on
    `channel.site`, reloads the values, and tries again. Locals in memory that are
    live across a site move into the frame, which grows accordingly.

    ```mlir
    // before                                    // after
    %ce = channel.talloc @g::@f                  ^site1:
    channel.enq @g::@f %ce (%v : i32)            %ce, %ok = channel.try_talloc @g::@f
                                                   llvm.cond_br %ok, ^granted, ^full
                                                 ^full:  // save %v
                                                   channel.yield %frame at 1
                                                   llvm.return
    ```

    Postcondition: no `channel.talloc` of a pre-sync stack is left. So no lane
    waits inside a kernel.
  }];
  let statistics = [Statistic<"numSites", "yield-sites", "Sites at which a lane can yield">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def KeepPaddingPass : Pass<"channel-keep-padding", "::mlir::ModuleOp"> {
  let summary = "give local variables that are copied as bytes a type without padding";
  let description = [{
    A variable that is copied as a whole becomes a value of its type when it is
    promoted, and a value has no padding. But a program may keep data in the
    padding: another member of a union may cover it, or the program may copy
    bytes. To keep the data, such a variable becomes an array of integers of the
    same size.

    ```mlir
    // before
    %u = llvm.alloca %one x !llvm.struct<(i8, i64)> : (i32) -> !llvm.ptr
    "llvm.intr.memcpy"(%u, %p, %c16) <{isVolatile = false}>
    // after
    %u = llvm.alloca %one x !llvm.array<2 x i64> : (i32) -> !llvm.ptr
    "llvm.intr.memcpy"(%u, %p, %c16) <{isVolatile = false}>
    ```

    This pass runs before `mem2reg`, and before the conversion to channels, which
    saves variables as values of their types.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def MoveAggregatesPass : Pass<"channel-move-aggregates", "::mlir::ModuleOp"> {
  let summary = "copy large aggregates from memory to memory instead of loading them";
  let description = [{
    The promotion of a copied variable leaves a load and a store of its whole
    value. LLVM splits these into members, which takes some seconds for a struct
    of
    eight thousand bytes. If such a value has more than 256 bytes and only stores
    use it, the stores become copies by `llvm.intr.memmove`. The source is the
    address of the load if nothing in between writes memory, else a local
    variable.

    ```mlir
    // before
    %v = llvm.load %a : !llvm.ptr -> !llvm.array<2000 x i32>
    llvm.store %v, %b : !llvm.array<2000 x i32>, !llvm.ptr
    // after
    "llvm.intr.memmove"(%b, %a, %c8000) <{isVolatile = false}>
    ```

    This pass runs after `mem2reg`.
  }];
  let statistics = [Statistic<"numMoved", "moved-aggregates", "Values that are copied in memory">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def FollowPointersPass : Pass<"channel-follow-pointers", "::mlir::ModuleOp"> {
  let summary = "note which fields of elements are pointers that are loaded through";
  let description = [{
    Lanes that walk a linked structure visit its nodes in an order that no
    processor can predict. A pre-sync kernel may load through a pointer of its
    element, at a constant distance. This pass notes the field and the distance,
    so that kernels on a CPU prefetch for later lanes.

    ```mlir
    // before                                  // after
    %ce, %p, %dst = channel.deq @g::@sum       %ce, %p, %dst = channel.deq @g::@sum {followed = array<i64: 0, 8>}
    %a = llvm.getelementptr %p[8]              ...
    %v = llvm.load %a
    ```

    This pass runs before `channel-make-resumable`, which moves values to memory.
  }];
  let statistics = [Statistic<"numFields", "followed-fields", "Fields that are loaded through">];
}

def FrameColumnsPass : Pass<"channel-frame-columns", "::mlir::ModuleOp"> {
  let summary = "lay out frames so that neighbouring lanes find the same field side by side";
  let description = [{
    Frames that a post-sync segment resumes are laid out in groups of eight
    (`abi::kFrameGroup`). A group holds the first field of eight frames, then
    their
    second fields, and so on. The address of a frame is the address of its first
    field, which has eight bytes or less.

    A struct or array of several words takes one column for each word. The struct
    of each frame stays contiguous in these columns, so that children may write to
    it like to any other struct. The struct of frame number i of the group begins
    i * 8 * (w - 1) bytes behind the frame's part in the first of its w columns.

    The values that a refused lane saves have columns of their own. Their memory
    is touched only when a lane is refused.

    The frames of a task stay contiguous, without columns, in two cases:

    - A field has more than 64 bytes.
    - No segment of the task spawns more than one task. Few such tasks exist at a
      time, and seven frames of eight would be wasted.

    ```mlir
    // before                                  // after
    channel.frame @f.frame of @f size 20       channel.frame @f.frame of @f size 24 align 8 {columns, ...}
    %a = llvm.getelementptr %frame[8]          %a = llvm.getelementptr %frame[64]
    %b = llvm.getelementptr %frame[16]         %b = llvm.getelementptr %frame[128]

    // %c: two words                           %further = llvm.and (llvm.ptrtoint %frame), 56
    %c = llvm.getelementptr %frame[24]         %place = llvm.getelementptr %frame[%further] {cilk2gpu.frame_words = 2}
                                               %c = llvm.getelementptr %place[192]
    ```

    This pass runs after `channel-make-resumable` and before any pass that lowers
    frames.
  }];
  let statistics = [Statistic<"numFrames", "frames-in-columns", "Frames that were laid out by field">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def SplitFieldsPass : Pass<"channel-split-fields", "::mlir::ModuleOp"> {
  let summary = "give each scalar of a struct or array that is passed by value a column of its own";
  let description = [{
    The fields of an element are columns, one for each parameter of the task's
    function. The calling convention passes a struct or array in one or two
    parameters: whole, in memory, or in pieces. If the kernel only stores such a
    field to a local variable of a struct or array type, then each scalar of the
    variable gets a column. Lanes find the same scalar of all elements side by
    side. Bytes between scalars are kept.

    The pass changes only tasks whose descriptor is internal, because other units
    rely on the layout that follows from the prototype.

    ```mlir
    // before: struct { char c[8]; }                // after
    channel.stack @f (i64) {linkage = internal}     channel.stack @f (i8, i8, i8, i8, i8, i8, i8, i8)
    %ce, %v = channel.deq @g::@f : i64              %ce, %v:8 = channel.deq @g::@f : i8, i8, ...
    llvm.store %v, %local : i64                     llvm.store %v#0, %local : i8
                                                    llvm.store %v#1, %local[1] : i8 ...
    ```

    An element never gets more than 64 columns.
  }];
  let statistics = [Statistic<"numFields", "split-fields", "Fields that became several columns">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def NarrowDestinationsPass : Pass<"channel-narrow-destinations", "::mlir::ModuleOp"> {
  let summary = "replace the addresses of results' destinations by offsets of 32 bits";
  let description = [{
    The stack of a task with a result names the field of its elements that is the
    address of the result's destination (`result`). The field becomes an offset of
    32 bits if each spawn of the task gives it one of these addresses:

    - an address in the frame of the spawning task;
    - the destination of the spawning task itself, handed on.

    The offset is relative to the range of addresses of frames
    (`abi::kFrameUnit`). The address of an accumulator (`cilk-combine-results`) is
    treated in the same way. A call from outside the graph would pass the address
    of a variable on the stack. It passes the address of a slot in that range
    instead.

    ```mlir
    // before                                          // after
    channel.stack @f (i32, !llvm.ptr) result 1         channel.stack @f (i32, i32) result 1
    %ce, %n, %d = channel.deq @g::@f : i32, !llvm.ptr  %ce, %n, %o = channel.deq @g::@f : i32, i32
                                                       %d = channel.address %o : !llvm.ptr
    channel.enq @g::@f %e (%m, %x : i32, !llvm.ptr)    %p = channel.offset %x : i32
                                                       channel.enq @g::@f %e (%m, %p : i32, i32)
    ```

    The field remains an address in these cases:

    - The descriptor of the task is not internal. Other units rely on the layout
      that follows from the prototype.
    - The task is spawned anywhere with another destination: an element of an array
      on the heap, a variable of `main`, or none.
    - The code is for a device, whose frames are elsewhere.
  }];
  let statistics = [Statistic<"numStacks", "narrow-stacks", "Stacks whose elements have offsets">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // CILK2GPU_DIALECT_CHANNEL_TRANSFORMS_PASSES_TD
