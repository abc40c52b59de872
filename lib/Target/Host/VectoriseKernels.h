// The passes that make kernels in vectors: which kernels are worth vectors, and the vectors themselves.
#ifndef CILK2GPU_LIB_TARGET_HOST_VECTORISEKERNELS_H
#define CILK2GPU_LIB_TARGET_HOST_VECTORISEKERNELS_H

#include "Import/SourceUnit.h"
#include "Import/Trip.h"
#include "cilk2gpu/Support/LoweringOptions.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/PassManager.h"

#include <string>

namespace cilk2gpu {

/// Vectorises the lane forms of a lowered module, each where that is possible and pays. The pass works in three steps:
///
/// 1. It copies the lane forms to a module of their own, with the bodies of the unit's functions that they call, and
///    simplifies them there with LLVM's passes.
/// 2. It brings the forms that are worth vectors into the `lane` dialect, runs vectorise-lanes, and comes back.
/// 3. It links the vectors to the entries of their kernels.
///
/// The vector entries of the other kernels go, and the kernels' descriptors say so. No lane form is left. Remarks
/// (-Rpass=cilk, -Rpass-missed=cilk) say of each kernel how it runs.
class VectoriseKernelsPass : public UnitPass<VectoriseKernelsPass> {
public:
  /// The lowering that the pass is a step of.
  struct Lowering {
    llvm::ArrayRef<llvm::Function *> cilkFunctions; ///< functions of the unit that must not be looked into
    const llvm::Function *owner = nullptr;          ///< gives its attributes to code that was made from no function
    Trip *trip = nullptr;                           ///< carries the forms through MLIR
    bool shares = false;                            ///< kernels with the same code become one (ShareKernels.h)
    /// If not null, the pass first looks for functions whose elements have many columns although none of their kernels
    /// runs in vectors. If there are any, it puts their names here, and changes nothing else.
    llvm::StringSet<> *wasted = nullptr;
  };
  VectoriseKernelsPass(const LoweringOptions &options, const Lowering &lowering)
      : options(options), lowering(lowering) {}

  /// The pass by itself, for a pipeline in words. `words` are words of parseLoweringWord with ';' between them.
  explicit VectoriseKernelsPass(llvm::StringRef words);

  bool runOn(llvm::Module &lowered, llvm::Module &unit);

private:
  LoweringOptions options;
  Lowering lowering;
  std::string unknownWord; ///< is an error when the pass runs
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_HOST_VECTORISEKERNELS_H
