// Calls of mathematical functions in lane forms: which have a vector form, and how they get it.
#ifndef CILK2GPU_LIB_VECTORISE_ANALYSIS_MATHCALLS_H
#define CILK2GPU_LIB_VECTORISE_ANALYSIS_MATHCALLS_H

#include "cilk2gpu/Support/LoweringOptions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/IntrinsicInst.h"

namespace cilk2gpu {

/// Whether an intrinsic computes with floating point and does nothing else: what has no vector form (sin, lround) can
/// run once for each lane.
bool isPureMath(const llvm::IntrinsicInst &call);

/// sqrt(x) of the C library is exact, but sets errno for negative numbers:
///   sqrt(x)  ->  x >= 0 ? llvm.sqrt(x) : sqrt(x)
/// so that it is an instruction in vectors, too, and a call for lanes where x is negative or no number.
void splitSquareRoots(llvm::Function &form);

/// Functions of a vector library, whose results may differ in the last places from the C library's: they stand only for
/// calls that allow that (-ffast-math).
class VectorMath {
public:
  VectorMath(const llvm::Module &module, const LoweringOptions &options);
  ~VectorMath();

  /// Whether there is a function for the call with vectors that a register of the set, or half of one, holds.
  bool knows(const llvm::CallInst &call, const VectorIsaInfo &isa) const { return !nameFor(call, isa).empty(); }

  /// Makes such calls in `form` calls of what lib/Vectorise knows (lane::kMathPrefix).
  void replaceCalls(llvm::Function &form, const VectorIsaInfo &isa) const;

private:
  std::string nameFor(const llvm::CallInst &call, const VectorIsaInfo &isa) const;

  std::unique_ptr<llvm::TargetLibraryInfoImpl> library;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_ANALYSIS_MATHCALLS_H
