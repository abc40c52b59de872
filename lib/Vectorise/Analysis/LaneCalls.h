// Calls of lane operations in LLVM IR (cilk2gpu/Dialect/Lane/IR/CallNames.h).
#ifndef CILK2GPU_LIB_VECTORISE_ANALYSIS_LANECALLS_H
#define CILK2GPU_LIB_VECTORISE_ANALYSIS_LANECALLS_H

#include "cilk2gpu/Dialect/Lane/IR/CallNames.h"
#include "cilk2gpu/Vectorise/LaneAttributes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

namespace cilk2gpu {

/// The lane operation that a value is a call of, if it is one.
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

/// Whether two functions are compiled for the same target. Where features differ, what is contracted may differ, too:
/// a helper for another one stays a function of one lane.
inline bool haveSameFeatures(const llvm::Function &helper, const llvm::Function &form) {
  return llvm::all_of(llvm::ArrayRef<llvm::StringRef>{"target-cpu", "target-features"}, [&](llvm::StringRef kind) {
    return helper.getFnAttribute(kind).getValueAsString() == form.getFnAttribute(kind).getValueAsString();
  });
}

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_ANALYSIS_LANECALLS_H
