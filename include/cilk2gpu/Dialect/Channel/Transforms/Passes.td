// Passes on the `channel` dialect.
#ifndef CILK2GPU_DIALECT_CHANNEL_TRANSFORMS_PASSES_TD
#define CILK2GPU_DIALECT_CHANNEL_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def MakeResumablePass : Pass<"channel-make-resumable", "::mlir::ModuleOp"> {
  let summary = "let lanes that find no channel space save themselves in their frame and restart";
  let description = [{
    For targets without a hardware yield. Each `channel.talloc` of a pre-sync
    stack becomes a *site*: where `channel.try_talloc` is refused, the lane
    stores what is live there into its frame, records `channel.yield` and
    returns; a restarted lane enters its kernel through a switch on
    `channel.site`, reloads, and tries again. Locals in memory that are live
    across a site move into the frame. The frame's size grows accordingly.

    ```mlir
    // before                                    // after
    %ce = channel.talloc @g::@f                  ^site1:
    channel.enq @g::@f %ce (%v : i32)            %ce, %ok = channel.try_talloc @g::@f
                                                   llvm.cond_br %ok, ^granted, ^full
                                                 ^full:  // save %v
                                                   channel.yield %frame at 1
                                                   llvm.return
    ```

    Postcondition: no `channel.talloc` of a pre-sync stack is left, so that no
    lane waits inside a kernel.
  }];
  let statistics = [Statistic<"numSites", "yield-sites", "Places where a lane can yield">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def KeepPaddingPass : Pass<"channel-keep-padding", "::mlir::ModuleOp"> {
  let summary = "give local variables that are copied as bytes a type that has them all";
  let description = [{
    A variable that is copied to and from as a whole becomes a value of its type
    when it is promoted, and such a value has no padding: where a union's other
    member, or a program that copies bytes, keeps something there, it would be
    lost. Such variables become arrays of integers of the same size.

    ```mlir
    // before
    %u = llvm.alloca %one x !llvm.struct<(i8, i64)> : (i32) -> !llvm.ptr
    "llvm.intr.memcpy"(%u, %p, %c16) <{isVolatile = false}>
    // after
    %u = llvm.alloca %one x !llvm.array<2 x i64> : (i32) -> !llvm.ptr
    "llvm.intr.memcpy"(%u, %p, %c16) <{isVolatile = false}>
    ```

    Before the conversion to channels, which saves variables as values of their
    types, and `mem2reg`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def MoveAggregatesPass : Pass<"channel-move-aggregates", "::mlir::ModuleOp"> {
  let summary = "copy large aggregates from memory to memory instead of loading them";
  let description = [{
    Promoting a variable that is copied to and from leaves a load and a store of
    its whole value, which LLVM takes apart member by member: some seconds for a
    struct of eight thousand bytes. Where stores are all that uses such a value of
    more than 256 bytes, they become copies by `llvm.intr.memmove`: from where it
    was loaded if nothing in between writes memory, else from a local variable.

    ```mlir
    // before
    %v = llvm.load %a : !llvm.ptr -> !llvm.array<2000 x i32>
    llvm.store %v, %b : !llvm.array<2000 x i32>, !llvm.ptr
    // after
    "llvm.intr.memmove"(%b, %a, %c8000) <{isVolatile = false}>
    ```

    After `mem2reg`.
  }];
  let statistics = [Statistic<"numMoved", "moved-aggregates", "Values that are copied in memory">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def FollowPointersPass : Pass<"channel-follow-pointers", "::mlir::ModuleOp"> {
  let summary = "note which fields of elements are pointers that are loaded through";
  let description = [{
    Lanes of a level that walk a linked structure find their nodes in no order
    that a processor could foresee. Where a pre-sync kernel loads through a
    pointer of its element, at a distance from it that does not vary, this pass
    notes both, so that the kernels of a CPU fetch for lanes to come.

    ```mlir
    // before                                  // after
    %ce, %p, %dst = channel.deq @g::@sum       %ce, %p, %dst = channel.deq @g::@sum {followed = array<i64: 0, 8>}
    %a = llvm.getelementptr %p[8]              ...
    %v = llvm.load %a
    ```

    Before `channel-make-resumable`, which keeps values in memory.
  }];
  let statistics = [Statistic<"numFields", "followed-fields", "Fields that are loaded through">];
}

def FrameColumnsPass : Pass<"channel-frame-columns", "::mlir::ModuleOp"> {
  let summary = "lay out frames so that neighbouring lanes find the same field side by side";
  let description = [{
    Frames that a post-sync segment resumes are laid out in groups of eight:
    eight times the first field, eight times the second, ...
    (`abi::kFrameGroup`). A frame's address is that of its first field, which
    must be one of eight bytes or less. A struct or array of several words takes
    as many columns, in which each frame's is in one piece: children may write
    to it as to any other. For each further word, it is as far behind the
    frame's place in its first column as that is behind the group's. What lanes
    are saved in when they are refused space is columns of its own, which are
    touched only then. Fields of more than 64 bytes keep all of their task's
    frames in one piece each. So does a task no segment of which spawns more
    than one: there are few of it at a time, and seven places of eight would be
    wasted.

    ```mlir
    // before                                  // after
    channel.frame @f.frame of @f size 20       channel.frame @f.frame of @f size 24 align 8 {columns, ...}
    %a = llvm.getelementptr %frame[8]          %a = llvm.getelementptr %frame[64]
    %b = llvm.getelementptr %frame[16]         %b = llvm.getelementptr %frame[128]

    // %c: two words                           %further = llvm.and (llvm.ptrtoint %frame), 56
    %c = llvm.getelementptr %frame[24]         %place = llvm.getelementptr %frame[%further] {cilk2gpu.frame_words = 2}
                                               %c = llvm.getelementptr %place[192]
    ```

    After `channel-make-resumable`, before anything lowers frames.
  }];
  let statistics = [Statistic<"numFrames", "frames-in-columns", "Frames that were laid out by field">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def SplitFieldsPass : Pass<"channel-split-fields", "::mlir::ModuleOp"> {
  let summary = "lay out aggregates that are passed by value by their parts";
  let description = [{
    An element's fields are columns, one for each parameter of the task's
    function. A struct or array that is passed by value is one or two of them,
    whole (in memory) or in pieces that suit a calling convention. Where a kernel
    does nothing with such a field but put it into a local variable of an
    aggregate type, the field becomes one column for each scalar of the variable:
    lanes then find the same scalar of all elements side by side. Bytes between
    scalars are kept. Only for tasks whose descriptor is internal: other units
    rely on the layout that follows from the prototype.

    ```mlir
    // before: struct { char c[8]; }                // after
    channel.stack @f (i64) {linkage = internal}     channel.stack @f (i8, i8, i8, i8, i8, i8, i8, i8)
    %ce, %v = channel.deq @g::@f : i64              %ce, %v:8 = channel.deq @g::@f : i8, i8, ...
    llvm.store %v, %local : i64                     llvm.store %v#0, %local : i8
                                                    llvm.store %v#1, %local[1] : i8 ...
    ```

    Elements of more than 64 columns are not made.
  }];
  let statistics = [Statistic<"numFields", "split-fields", "Fields that became several columns">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def NarrowDestinationsPass : Pass<"channel-narrow-destinations", "::mlir::ModuleOp"> {
  let summary = "make the places that results go to offsets of 32 bits";
  let description = [{
    The stack of a task with a result says which field of its elements is the
    address that the result goes to (`result`). The field becomes an offset of 32
    bits in the range of addresses that frames stand in (`abi::kFrameUnit`), if at
    every place where the task is spawned it is an address in the frame of the
    spawning task, or the spawning task's own destination. So does the address of
    an accumulator (`cilk-combine-results`). A call from outside the graph, whose result would
    go to a variable on the stack, gets a slot in that range.

    ```mlir
    // before                                          // after
    channel.stack @f (i32, !llvm.ptr) result 1         channel.stack @f (i32, i32) result 1
    %ce, %n, %d = channel.deq @g::@f : i32, !llvm.ptr  %ce, %n, %o = channel.deq @g::@f : i32, i32
                                                       %d = channel.address %o : !llvm.ptr
    channel.enq @g::@f %e (%m, %x : i32, !llvm.ptr)    %p = channel.offset %x : i32
                                                       channel.enq @g::@f %e (%m, %p : i32, i32)
    ```

    Only for tasks whose descriptor is internal: other units rely on the layout
    that follows from the prototype. A task that is spawned anywhere with another
    destination (an array's element on the heap, a variable of `main`'s, none)
    keeps addresses. Not for devices: their frames stand elsewhere.
  }];
  let statistics = [Statistic<"numStacks", "narrow-stacks", "Stacks whose elements have offsets">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // CILK2GPU_DIALECT_CHANNEL_TRANSFORMS_PASSES_TD
