// The compiler's middle as LLVM sees it. It takes the Cilk functions out of a module that Clang generated, runs the
// MLIR pipelines on them, and links the result back. Everything that is not Cilk stays untouched.
#ifndef CILK2GPU_PIPELINE_LOWERCILK_H
#define CILK2GPU_PIPELINE_LOWERCILK_H

#include "cilk2gpu/Support/LoweringOptions.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"
#include <memory>

namespace llvm {
class Module;
class PassBuilder;
class raw_ostream;
} // namespace llvm

namespace cilk2gpu {

/// Stages of the middle that `--emit` can print.
enum class Stage { Cilk, Channel, Graph, GraphJson };

/// Lowers all Cilk functions of a module. A module without markers is left as it is. Errors are reported through the
/// module's LLVMContext, at the user's source lines where those are known; the module is then not fit for code
/// generation.
struct LowerCilkPass : llvm::PassInfoMixin<LowerCilkPass> {
  explicit LowerCilkPass(const LoweringOptions &options) : options(options) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }

private:
  LoweringOptions options;
};

/// Lowers all Cilk functions of a module as the pass does. Returns the part for devices (DeviceModule.h) instead of
/// embedding it. Returns null if there is none, or after an error, which is reported through the context.
std::unique_ptr<llvm::Module> lowerForDevice(llvm::Module &module, LoweringOptions options);

/// Returns the part of `options` that holds where compile time or size comes before speed (below -O2, -Os, -Oz).
LoweringOptions atLevel(LoweringOptions options, bool forSpeed);

/// Runs LowerCilkPass at the start of every pipeline that `builder` builds, and PlacementPass at the end. `options`
/// hold as far as the level allows (atLevel).
void registerLowering(llvm::PassBuilder &builder, LoweringOptions options = {});

/// The Cilk functions of `module` in the form that MLIR imports; null after an error, which is reported through the
/// context.
std::unique_ptr<llvm::Module> extractTasks(llvm::Module &module, const LoweringOptions &options);

/// Imports the Cilk functions of `module`, runs the pipeline up to `stage` and prints that stage. Reports errors
/// through module's LLVMContext diagnostics; returns false on error (nothing is printed then).
bool printStage(std::unique_ptr<llvm::Module> module, Stage stage, const LoweringOptions &options,
                llvm::raw_ostream &os);

} // namespace cilk2gpu

#endif // CILK2GPU_PIPELINE_LOWERCILK_H
