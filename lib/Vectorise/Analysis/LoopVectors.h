// The loops of one lane that LLVM's loop vectoriser handles.
#ifndef CILK2GPU_LIB_VECTORISE_ANALYSIS_LOOPVECTORS_H
#define CILK2GPU_LIB_VECTORISE_ANALYSIS_LOOPVECTORS_H

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"

namespace cilk2gpu {

/// Tells which loops LLVM probably makes vectors of when a function's lanes run one after the other. `function` must
/// not change; `dominators` and `loops` are of it, and outlive this.
class LoopVectors {
public:
  LoopVectors(llvm::Function &function, llvm::DominatorTree &dominators, llvm::LoopInfo &loops)
      : libraryInfo(function.getParent()->getTargetTriple()), library(libraryInfo, &function), assumptions(function),
        evolution(function, library, assumptions, dominators, loops) {}

  /// Whether LLVM can make vectors of an innermost loop. The number of its iterations is known when it starts, and it
  /// works on neighbours in memory. One iteration hands only values to the next that can be put together afterwards.
  bool makesVectorsOf(llvm::Loop &loop);

  /// How the addresses of an access follow one another in the iterations of an inner loop, where the loop around it
  /// goes on to neighbours in memory, or may.
  enum class Stride {
    Irregular, ///< or always the same
    Near,      ///< within a cache line
    Far,       ///< a line or more apart, or as far as only the run knows: down the column of a matrix
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
