// Passes that bring LLVM IR into the form that MLIR imports. They work on two modules: the translation unit, and a
// module that contains only its Cilk functions. This header defines how a pass on the second module accesses the first
// one, and how an error ends a pipeline.
#ifndef CILK2GPU_LIB_IMPORT_SOURCEUNIT_H
#define CILK2GPU_LIB_IMPORT_SOURCEUNIT_H

#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"

namespace cilk2gpu {

/// The translation unit to which a module belongs.
struct SourceUnit {
  llvm::Module *module; ///< as Clang made it: has the bodies of ordinary functions, too
  bool failed = false;  ///< true if a pass has reported an error; the following passes do nothing

  bool invalidate(llvm::Module &, const llvm::PreservedAnalyses &, llvm::ModuleAnalysisManager::Invalidator &) {
    return false;
  }
};

/// Provides the SourceUnit of a module. If a tool runs a pass on one module, that module is the translation unit.
class SourceUnitAnalysis : public llvm::AnalysisInfoMixin<SourceUnitAnalysis> {
public:
  using Result = SourceUnit;

  explicit SourceUnitAnalysis(llvm::Module *unit = nullptr) : unit(unit) {}
  SourceUnit run(llvm::Module &module, llvm::ModuleAnalysisManager &) { return {unit ? unit : &module}; }

private:
  friend llvm::AnalysisInfoMixin<SourceUnitAnalysis>;
  static llvm::AnalysisKey Key;
  llvm::Module *unit;
};

/// A pass of a translation unit. `Pass` has `bool runOn(llvm::Module &module, llvm::Module &unit)`, which returns false
/// after it has reported an error. The lowering depends on every pass, so -opt-bisect-limit leaves none out.
template <typename Pass> struct UnitPass : llvm::PassInfoMixin<Pass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses) {
    SourceUnit &unit = analyses.getResult<SourceUnitAnalysis>(module);
    if (unit.failed)
      return llvm::PreservedAnalyses::all();
    unit.failed = !static_cast<Pass *>(this)->runOn(module, *unit.module);
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

/// A pass of LLVM on which the lowering depends: neither optnone nor -opt-bisect-limit leaves it out.
template <typename Pass> struct Required : Pass {
  using Pass::Pass;
  static bool isRequired() { return true; }
};

/// Runs `passes` on `module`, a part of `unit` or `unit` itself. `callbacks`, if not null, see every pass. Returns
/// false after an error, which is reported through the context.
bool runUnitPasses(llvm::ModulePassManager &passes, llvm::Module &module, llvm::Module &unit,
                   llvm::PassInstrumentationCallbacks *callbacks);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_SOURCEUNIT_H
