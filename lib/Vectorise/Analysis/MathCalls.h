// Finds vector forms for calls of mathematical functions in lane forms, and replaces the calls.
#ifndef CILK2GPU_LIB_VECTORISE_ANALYSIS_MATHCALLS_H
#define CILK2GPU_LIB_VECTORISE_ANALYSIS_MATHCALLS_H

#include "cilk2gpu/Support/LoweringOptions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/IntrinsicInst.h"

namespace cilk2gpu {

/// Returns true if an intrinsic only computes with floating-point numbers. If it has no vector form (sin, lround), it
/// can run once for each lane.
bool isPureMath(const llvm::IntrinsicInst &call);

/// Splits sqrt(x) of the C library, which is exact but sets errno for negative numbers:
///   sqrt(x)  ->  x >= 0 ? llvm.sqrt(x) : sqrt(x)
/// So most lanes use an instruction in vectors, and only lanes where x is negative or not a number make the call.
void splitSquareRoots(llvm::Function &form);

/// Functions of a vector library. Their results may differ from the C library's in the last digits, so they replace
/// only calls that allow it (-ffast-math).
class VectorMath {
public:
  VectorMath(const llvm::Module &module, const LoweringOptions &options);
  ~VectorMath();

  /// Returns true if the library has a function for the call, for vectors that fill a register of the set, or half of
  /// it.
  bool knows(const llvm::CallInst &call, const VectorIsaInfo &isa) const { return !nameFor(call, isa).empty(); }

  /// Replaces such calls in `form` by calls that lib/Vectorise knows (lane::kMathPrefix).
  void replaceCalls(llvm::Function &form, const VectorIsaInfo &isa) const;

private:
  std::string nameFor(const llvm::CallInst &call, const VectorIsaInfo &isa) const;

  std::unique_ptr<llvm::TargetLibraryInfoImpl> library;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_ANALYSIS_MATHCALLS_H
