// Predicts which loops of a lane LLVM's loop vectoriser handles.
#ifndef CILK2GPU_LIB_VECTORISE_ANALYSIS_LOOPVECTORS_H
#define CILK2GPU_LIB_VECTORISE_ANALYSIS_LOOPVECTORS_H

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"

namespace cilk2gpu {

/// Predicts which loops LLVM probably vectorises when a function's lanes run one after the other. `function` must not
/// change. `dominators` and `loops` belong to it, and must outlive this object.
class LoopVectors {
public:
  LoopVectors(llvm::Function &function, llvm::DominatorTree &dominators, llvm::LoopInfo &loops)
      : libraryInfo(function.getParent()->getTargetTriple()), library(libraryInfo, &function), assumptions(function),
        evolution(function, library, assumptions, dominators, loops) {}

  /// Returns true if LLVM can vectorise an innermost loop. The number of its iterations is known at its start, and it
  /// accesses neighbours in memory. An iteration passes a value to the next one only if partial values can be combined
  /// after the loop.
  bool makesVectorsOf(llvm::Loop &loop);

  /// Distances between the addresses of an access in successive iterations of an inner loop. The loop around it moves
  /// to neighbours in memory, or may do so.
  enum class Stride {
    Irregular, ///< no known order, or always the same address
    Near,      ///< within a cache line
    Far,       ///< a line or more apart, or a distance known at run time: down a matrix column
  };
  Stride strideOf(const llvm::Instruction &access, const llvm::Loop &loop);

private:
  bool isRecurrence(llvm::PHINode &phi, llvm::Loop &loop);
  bool hasVectorForm(llvm::Instruction &inst, llvm::Loop &loop);
  bool isNeighbourly(llvm::Instruction &access, llvm::Loop &loop);

  llvm::TargetLibraryInfoImpl libraryInfo;
  llvm::TargetLibraryInfo library;
  llvm::AssumptionCache assumptions;
  llvm::ScalarEvolution evolution;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_ANALYSIS_LOOPVECTORS_H
