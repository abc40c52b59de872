// A pass that keeps one of several functions with the same code. Templates, and loops and tasks with the same
// parameters, lead to many kernels that differ in their names only. Without the pass, each of them goes through
// vectorisation, LLVM's pipeline and code generation.
#ifndef CILK2GPU_LIB_TARGET_HOST_SHAREKERNELS_H
#define CILK2GPU_LIB_TARGET_HOST_SHAREKERNELS_H

#include "Import/SourceUnit.h"

namespace cilk2gpu {

/// Replaces each local function of a lowered module by an earlier one with the same code, and each lane form by an
/// earlier lane form, together with the vector entries. Functions whose names the unit knows stay. So do all functions
/// if the unit's remarks are enabled, because remarks are about one kernel.
///
/// The pass ignores locations and the functions from which the code was made (kOriginAttr), and must run after
/// InheritAttributesPass. It is for units whose locations do not reach the object file.
struct ShareKernelsPass : UnitPass<ShareKernelsPass> {
  bool runOn(llvm::Module &lowered, llvm::Module &unit);
};

/// Does the same for the lane forms of `workshop`, which have gone through LLVM's passes with the functions that they
/// call. They are copies of those of `lowered`, where entries are replaced and forms removed, too.
void shareSimplifiedForms(llvm::Module &workshop, llvm::Module &lowered, const llvm::Module &unit);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_HOST_SHAREKERNELS_H
