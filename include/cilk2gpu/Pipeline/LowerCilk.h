// The lowering as LLVM sees it. It takes the Cilk functions out of a module that Clang generated, runs the MLIR
// pipelines on them, and links the result back. All other functions stay untouched.
#ifndef CILK2GPU_PIPELINE_LOWERCILK_H
#define CILK2GPU_PIPELINE_LOWERCILK_H

#include "cilk2gpu/Support/LoweringOptions.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"
#include <memory>

namespace llvm {
class Module;
class PassBuilder;
class raw_ostream;
} // namespace llvm

namespace cilk2gpu {

class GraphDrawings;

/// Stages of the lowering that `--emit` can print.
enum class Stage { Cilk, Channel, Graph, GraphJson };

/// Lowers all Cilk functions of a module. A module without markers is left as it is. Reports errors through the
/// module's LLVMContext, at the user's source lines if they are known. After an error, the module is not fit for code
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

/// Returns `options` without the parts that trade compile time or size for speed, unless `forSpeed` (at -O2 and above).
LoweringOptions atLevel(LoweringOptions options, bool forSpeed);

/// Runs LowerCilkPass at the start of every pipeline that `builder` builds, and PlacementPass at the end. `options` are
/// reduced as the level requires (atLevel).
void registerLowering(llvm::PassBuilder &builder, LoweringOptions options = {});

/// Returns the Cilk functions of `module` in the form that MLIR imports. After an error, reports it through the context
/// and returns null.
std::unique_ptr<llvm::Module> extractTasks(llvm::Module &module, const LoweringOptions &options);

/// Imports the Cilk functions of `module`, runs the pipeline up to `stage` and prints that stage, Cilk or Channel.
/// Reports errors through module's LLVMContext. After an error, returns false and prints nothing.
bool printStage(std::unique_ptr<llvm::Module> module, Stage stage, const LoweringOptions &options,
                llvm::raw_ostream &os);

/// Does the same up to the stage Channel, and adds the graphs of the module to `drawings` (Target/Graph/EmitGraph.h).
/// `signatures` are the declarations of functions, by symbol.
bool drawGraph(std::unique_ptr<llvm::Module> module, const LoweringOptions &options,
               const llvm::StringMap<std::string> &signatures, GraphDrawings &drawings);

} // namespace cilk2gpu

#endif // CILK2GPU_PIPELINE_LOWERCILK_H
