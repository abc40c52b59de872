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

#endif // CILK2GPU_DIALECT_CHANNEL_TRANSFORMS_PASSES_TD
