// Functions that kernels call and that run for all lanes of a vector at once, too: vector clones. What a lane form
// calls becomes part of it where it may; functions that are not to be inlined, or too long for it, are left.
#ifndef CILK2GPU_LIB_VECTORISE_ANALYSIS_VECTORCLONECHOICE_H
#define CILK2GPU_LIB_VECTORISE_ANALYSIS_VECTORCLONECHOICE_H

#include "MathCalls.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstrTypes.h"

namespace cilk2gpu {

/// Functions that `form` calls by name and whose bodies are at hand, in order.
llvm::SmallSetVector<llvm::Function *, 8> calledBodies(const llvm::Function &form);

/// Decides which functions of a module of simplified lane forms have vector clones, and makes the clones. Simplifies
/// functions that may have clones. Nobody else may change the functions while the class is asked.
class VectorCloneChoice {
public:
  VectorCloneChoice(const llvm::Module &workshop, const LoweringOptions &options);
  ~VectorCloneChoice();

  /// Returns the function that a call runs for all lanes at once, or null if lanes call it one after the other.
  llvm::Function *clonedBy(const llvm::CallBase &call, const VectorIsaInfo &isa);

  /// Returns why lanes call `function`, a body of the module, one after the other; empty if they need not.
  llvm::StringRef whyNot(llvm::Function &function, const VectorIsaInfo &isa) { return decide(function, isa).reason; }

  /// Gain of a call of a clone less its cost, in units of a simple operation; may be negative.
  double valueOf(llvm::Function &function, const VectorIsaInfo &isa) { return decide(function, isa).value; }

  /// Bytes of the local variables of one lane that runs `function`, with those of the clones that it calls.
  uint64_t stackOf(const llvm::Function &function, const VectorIsaInfo &isa);

  /// Copies of the functions that `form`, a lane form for `isa`, calls for all lanes at once, and of those that these
  /// call: what lib/Vectorise makes clones of. Each is returned once.
  llvm::SmallVector<llvm::Function *> makeCopies(llvm::Function &form, const VectorIsaInfo &isa);

  const VectorMath &getMath() const { return math; }

private:
  struct Decision {
    std::string reason;
    double value = 0;
    uint64_t stack = 0;
  };
  using Key = std::pair<const llvm::Function *, const VectorIsaInfo *>;

  const Decision &decide(llvm::Function &function, const VectorIsaInfo &isa);
  std::string whyIllegal(llvm::Function &function);
  std::string weigh(llvm::Function &function, const VectorIsaInfo &isa, Decision &decision);

  const LoweringOptions &options;
  VectorMath math;
  llvm::DenseMap<const llvm::Function *, std::string> illegal; ///< why, or empty; for all instruction sets
  llvm::DenseMap<Key, std::unique_ptr<Decision>> decisions;
  llvm::DenseSet<Key> made;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_ANALYSIS_VECTORCLONECHOICE_H
