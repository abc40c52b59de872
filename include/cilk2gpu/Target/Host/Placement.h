// Placement in memory of the code and data of a unit with Cilk in it. Loops and arrays begin at cache lines, so that
// their speed does not depend on the code or data in front of them.
#ifndef CILK2GPU_TARGET_HOST_PLACEMENT_H
#define CILK2GPU_TARGET_HOST_PLACEMENT_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Module;
}

namespace cilk2gpu {

/// Says that PlacementPass should work on a module.
void requestPlacement(llvm::Module &module);

/// In modules for which that was requested, and in functions that are compiled for speed:
/// - asks code generation to start loops at cache lines, unless they say something of their alignment themselves;
/// - has the runtime place what malloc returns (__cilk2gpu_malloc in cilk2gpu/abi/Records.h), unless it is known to be
/// small. To be run when nothing is left that changes loops or knows malloc.
struct PlacementPass : llvm::PassInfoMixin<PlacementPass> {
  explicit PlacementPass(bool forSpeed) : forSpeed(forSpeed) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }

private:
  bool forSpeed; ///< false: only takes back the request
};

} // namespace cilk2gpu

#endif // CILK2GPU_TARGET_HOST_PLACEMENT_H
