// Calls of lane operations in LLVM IR (cilk2gpu/Dialect/Lane/IR/CallNames.h).
#ifndef CILK2GPU_LIB_VECTORISE_ANALYSIS_LANECALLS_H
#define CILK2GPU_LIB_VECTORISE_ANALYSIS_LANECALLS_H

#include "cilk2gpu/Dialect/Lane/IR/CallNames.h"
#include "cilk2gpu/Vectorise/LaneAttributes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

namespace cilk2gpu {

/// Returns the lane operation if the value is a call that stands for one.
inline std::optional<lane::CallName> laneOpOf(const llvm::Value *value) {
  auto *call = llvm::dyn_cast<llvm::CallBase>(value);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee ? lane::parseCallName(callee->getName()) : std::nullopt;
}

inline bool isLaneOp(const llvm::Value *value) { return laneOpOf(value).has_value(); }
inline bool isLaneOp(const llvm::Value *value, llvm::StringRef operation) {
  std::optional<lane::CallName> name = laneOpOf(value);
  return name && name->operation == operation;
}

/// Returns true if two functions are compiled for the same target. With other features, other operations may be
/// contracted, so a helper for another target stays a function that lanes call one after the other.
inline bool haveSameFeatures(const llvm::Function &helper, const llvm::Function &form) {
  return llvm::all_of(llvm::ArrayRef<llvm::StringRef>{"target-cpu", "target-features"}, [&](llvm::StringRef kind) {
    return helper.getFnAttribute(kind).getValueAsString() == form.getFnAttribute(kind).getValueAsString();
  });
}

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_ANALYSIS_LANECALLS_H
