// Calls of lane operations in LLVM IR (cilk2gpu/Vectorise/LaneOps.h).
#ifndef CILK2GPU_LIB_TARGET_LLVMIR_LANECALLS_H
#define CILK2GPU_LIB_TARGET_LLVMIR_LANECALLS_H

#include "cilk2gpu/Vectorise/LaneOps.h"
#include "llvm/IR/InstrTypes.h"

namespace cilk2gpu {

/// The lane operation that a value is a call of, if it is one.
inline std::optional<lane::OpName> laneOpOf(const llvm::Value *value) {
  auto *call = llvm::dyn_cast<llvm::CallBase>(value);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee ? lane::parseOpName(callee->getName()) : std::nullopt;
}

inline bool isLaneOp(const llvm::Value *value) { return laneOpOf(value).has_value(); }
inline bool isLaneOp(const llvm::Value *value, llvm::StringRef kind) {
  std::optional<lane::OpName> name = laneOpOf(value);
  return name && name->kind == kind;
}

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_LLVMIR_LANECALLS_H
