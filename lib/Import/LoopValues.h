// Loops over the values of a cilk_for's variable. The variable has its own type and does not wrap around, because the
// number of iterations is checked. So LLVM sees the loop that Clang makes from the serial elision:
//
//   for (iN value = first + low * step, end = first + high * step; value < end; value += step)
//
// A few loops count their iterations instead: loops whose step is not constant, and loops of unusual types.
#ifndef CILK2GPU_LIB_IMPORT_LOOPVALUES_H
#define CILK2GPU_LIB_IMPORT_LOOPVALUES_H

#include "llvm/IR/IRBuilder.h"

namespace cilk2gpu {

/// The values of a loop's variable, as the begin marker describes them.
struct LoopValues {
  explicit LoopValues(llvm::CallInst &begin);

  llvm::IntegerType *type;    ///< type of the values in loops
  llvm::Value *first, *step;  ///< of that type
  bool isUnsigned, hasNarrow; ///< the values are unsigned; they have the variable's type, and not 64 bits
  bool isConstantStep, isUp;  ///< isUp: known only if the step is constant or the comparison is no !=

  /// Returns the value in iteration number `index`, in `type`.
  llvm::Value *at(llvm::IRBuilderBase &builder, llvm::Value *index) const;
  /// Returns a value as the begin marker does: with 64 bits.
  llvm::Value *extend(llvm::IRBuilderBase &builder, llvm::Value *value) const;
};

/// Computes the number of iterations in front of the begin marker. Calls the runtime only for a loop that may not end,
/// or whose step is not constant.
llvm::Value *countIterations(llvm::CallInst &begin);

/// Computes the number of iterations that a call of the runtime's function returns, and replaces the call.
void expandTripCount(llvm::CallInst &call);

/// Makes the head and the end of a loop over the iterations from `low` to `high`.
class ValueLoop {
public:
  /// Begins the loop in the block of `builder`, which must jump to the head.
  ValueLoop(llvm::IRBuilderBase &builder, const LoopValues &values, llvm::Value *low, llvm::Value *high);
  /// Makes the head's code. Returns the condition of one more iteration.
  llvm::Value *makeHead(llvm::IRBuilderBase &builder, llvm::BasicBlock *before);
  /// Makes the code at the end of an iteration, from which the block of `builder` must jump to the head.
  void makeNext(llvm::IRBuilderBase &builder);

  llvm::PHINode *index = nullptr; ///< number of the iteration
  llvm::Value *value = nullptr;   ///< the variable's value with 64 bits; made by the head

private:
  const LoopValues &values;
  llvm::Value *low, *high, *start = nullptr, *end = nullptr;
  llvm::PHINode *variable = nullptr;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_LOOPVALUES_H
