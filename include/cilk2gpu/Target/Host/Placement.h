// Placement of the code and data of a unit with Cilk in memory. Loops and arrays begin at cache lines, so that their
// speed does not depend on the code or data in front of them.
#ifndef CILK2GPU_TARGET_HOST_PLACEMENT_H
#define CILK2GPU_TARGET_HOST_PLACEMENT_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Module;
}

namespace cilk2gpu {

/// Requests that PlacementPass works on a module.
void requestPlacement(llvm::Module &module);

/// In modules for which placement was requested, and in functions that are compiled for speed:
/// - asks code generation to start loops at cache lines, unless a loop has metadata about its alignment;
/// - replaces calls of malloc by __cilk2gpu_malloc (cilk2gpu/abi/Records.h), unless the size is known to be small.
///
/// It must run after all passes that change loops or know malloc.
struct PlacementPass : llvm::PassInfoMixin<PlacementPass> {
  explicit PlacementPass(bool forSpeed) : forSpeed(forSpeed) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }

private:
  bool forSpeed; ///< false: only removes the request
};

} // namespace cilk2gpu

#endif // CILK2GPU_TARGET_HOST_PLACEMENT_H
