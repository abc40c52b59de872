// Vector clones: functions that kernels call and that run for all lanes of a vector at once. Most functions that a lane
// form calls are inlined into it. Clones are for functions that must not be inlined or are too long.
#ifndef CILK2GPU_LIB_VECTORISE_ANALYSIS_VECTORCLONECHOICE_H
#define CILK2GPU_LIB_VECTORISE_ANALYSIS_VECTORCLONECHOICE_H

#include "MathCalls.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstrTypes.h"

namespace cilk2gpu {

/// Returns the functions with visible bodies that `form` calls by name, in order.
llvm::SmallSetVector<llvm::Function *, 8> calledBodies(const llvm::Function &form);

/// Decides which functions of a module of simplified lane forms have vector clones, and makes the clones. Simplifies
/// functions that may have clones. No other code may change the functions while this class is in use.
class VectorCloneChoice {
public:
  VectorCloneChoice(const llvm::Module &workshop, const LoweringOptions &options);
  ~VectorCloneChoice();

  /// Returns the function that a call runs for all lanes at once, or null if lanes call it one after the other.
  llvm::Function *clonedBy(const llvm::CallBase &call, const VectorIsaInfo &isa);

  /// Returns the reason why lanes call `function`, a body of the module, one after the other, or an empty text.
  llvm::StringRef whyNot(llvm::Function &function, const VectorIsaInfo &isa) { return decide(function, isa).reason; }

  /// Returns the gain of a call of a clone minus its cost, in units of a simple operation. It may be negative.
  double valueOf(llvm::Function &function, const VectorIsaInfo &isa) { return decide(function, isa).value; }

  /// Returns the bytes of the local variables of one lane that runs `function`, with the variables of the clones that
  /// it calls.
  uint64_t stackOf(const llvm::Function &function, const VectorIsaInfo &isa);

  /// Makes copies of the functions that `form`, a lane form for `isa`, calls for all lanes at once, and of the
  /// functions that these call. lib/Vectorise makes clones from the copies. Returns each copy once.
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
  llvm::DenseMap<const llvm::Function *, std::string>
      illegal; ///< reason against clones for all instruction sets, or empty
  llvm::DenseMap<Key, std::unique_ptr<Decision>> decisions;
  llvm::DenseSet<Key> made;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_ANALYSIS_VECTORCLONECHOICE_H
