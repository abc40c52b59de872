// The three pass pipelines of the whole path. The IR between them can be printed.
#ifndef CILK2GPU_PIPELINE_PIPELINES_H
#define CILK2GPU_PIPELINE_PIPELINES_H

#include "cilk2gpu/Dialect/Registration.h"
#include "cilk2gpu/Support/LoweringOptions.h"
#include "mlir/Pass/PassManager.h"

namespace cilk2gpu {

/// Adds the passes from imported IR with markers to the `cilk` dialect, which expresses spawns and syncs.
void addImportPipeline(mlir::OpPassManager &pm);

/// Adds the passes from the `cilk` dialect to the `channel` dialect, the channel-flow graph.
void addChannelPipeline(mlir::OpPassManager &pm, const LoweringOptions &options = {});

/// Adds the passes from the `channel` dialect to the LLVM dialect with descriptors. A lane that finds no space saves
/// itself.
/// - `laneForms`, if not empty: instruction sets with + between them. The kernels also get lane forms, for
///   `vectorise-lanes` with these sets.
/// - `deviceSymbols`, if not empty: prefix of the kernels' symbols in device images. The kernels also get device forms.
/// - `counts`: kernels are prepared for the counting of instructions.
void addNativePipeline(mlir::OpPassManager &pm, llvm::StringRef laneForms = "", llvm::StringRef deviceSymbols = "",
                       bool counts = false);

/// Registers every pass of the project and the pipelines above: `cilk-import`, `cilk-to-channel`, `channel-to-native`.
void registerAllPasses();

} // namespace cilk2gpu

#endif // CILK2GPU_PIPELINE_PIPELINES_H
