// The pass pipelines of the whole path. A comment gives the reason for each ordering constraint.
#include "cilk2gpu/Pipeline/Pipelines.h"

#include "cilk2gpu/Conversion/Passes.h"
#include "cilk2gpu/Dialect/Channel/Transforms/Passes.h"
#include "cilk2gpu/Dialect/Cilk/Transforms/Passes.h"
#include "cilk2gpu/Dialect/Lane/Transforms/Passes.h"
#include "cilk2gpu/Vectorise/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void cilk2gpu::addImportPipeline(OpPassManager &pm) {
  pm.addPass(createConvertMarkersToCilkPass());
  // Here, so that all stages have the nodes, also those of a unit without tasks.
  pm.addPass(createConvertMarkersToBlocksPass());
  // Needs cilk.spawn. All later passes rely on every spawn's callee being a task with a body.
  pm.addPass(cilk::createWrapOrdinaryCalleesPass());
}

void cilk2gpu::addChannelPipeline(OpPassManager &pm, const LoweringOptions &options) {
  // Before variables become values: where they are live at a sync, and also in elisions.
  pm.addPass(channel::createKeepPaddingPass());
  // Before elisions are made, because they call the tasks' new forms.
  if (options.combine)
    pm.addPass(cilk::createReturnParametersPass());
  // While plain calls are still cilk.call, because an elision calls a function and does not spawn it.
  pm.addPass(cilk::createCreateElisionsPass());
  // Devices run many lanes at once, and counted code executes the same instructions in each form.
  if (options.combine && !options.device && !options.count)
    pm.addPass(cilk::createCallInPlacePass());
  pm.addPass(cilk::createLowerCallsPass());
  // After plain calls have become spawns and syncs, which end strands. Before combining and early returns, which leave
  // tasks with strands alone.
  pm.addPass(cilk::createTrackStrandsPass());
  // After the elisions, which do not change any more. Before implicit syncs, because it makes some of them superfluous.
  if (options.combine)
    pm.addPass(cilk::createCombineResultsPass());
  // After combining, because an early return that adds to an accumulator is smaller, and no parent has to wait for its
  // result.
  if (options.inlineEarlyReturns)
    pm.addPass(cilk::createInlineEarlyReturnsPass());
  // After the calls are lowered, because their syncs take part in the data-flow analysis.
  pm.addPass(cilk::createInsertImplicitSyncsPass());
  pm.addPass(createConvertCilkToChannelPass());
  // The split moves values through local variables. This pass turns them into values again, and makes the graph
  // readable.
  pm.addNestedPass<LLVM::LLVMFuncOp>(createMem2Reg());
  pm.addNestedPass<LLVM::LLVMFuncOp>(createCanonicalizerPass());
  pm.addPass(channel::createMoveAggregatesPass());
  // Devices' frames stand in other memory. Counted code must execute the same instructions as code for all devices.
  if (!options.device && !options.count)
    pm.addPass(channel::createNarrowDestinationsPass());
}

void cilk2gpu::addNativePipeline(OpPassManager &pm, llvm::StringRef laneForms, llvm::StringRef deviceSymbols,
                                 bool counts) {
  pm.addPass(channel::createFindBlockOffsetsPass());
  // Only vectors gain from it. It runs while spawned values are still loaded right before their spawn.
  if (!laneForms.empty())
    pm.addPass(channel::createSplitFieldsPass());
  pm.addPass(channel::createFollowPointersPass());
  pm.addPass(channel::createMakeResumablePass());
  // After all passes that add fields to frames. Only vectors gain from it.
  if (!laneForms.empty())
    pm.addPass(channel::createFrameColumnsPass());
  pm.addPass(createConvertChannelToLLVMPass({laneForms.str(), deviceSymbols.str(), counts}));
  // Lane forms go through LLVM's passes before they are vectorised.
  if (!laneForms.empty())
    pm.addPass(lane::createLaneEncodeCallsPass());
}

void cilk2gpu::registerAllPasses() {
  registerConversionPasses();
  cilk::registerCilkPasses();
  channel::registerChannelPasses();
  lane::registerLanePasses();
  registerVectorisePasses();
  mlir::registerTransformsPasses();
  PassPipelineRegistration<>("cilk-import", "Imported LLVM dialect with markers to the cilk dialect",
                             addImportPipeline);
  PassPipelineRegistration<>("cilk-to-channel", "The cilk dialect to a channel-flow graph",
                             [](OpPassManager &pm) { addChannelPipeline(pm); });
  PassPipelineRegistration<>("channel-to-native", "A channel-flow graph to LLVM dialect for the native backend",
                             [](OpPassManager &pm) { addNativePipeline(pm); });
}
