// Integer constants among values.
#ifndef CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_CONSTANTS_H
#define CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_CONSTANTS_H

#include "mlir/IR/Matchers.h"

#include <optional>

namespace cilk2gpu::cilk {

/// Returns the integer that the value always is, or nothing. The value may be null.
inline std::optional<int64_t> constantOf(mlir::Value value) {
  llvm::APInt constant;
  bool isKnown = value && mlir::matchPattern(value, mlir::m_ConstantInt(&constant));
  return isKnown ? std::optional(constant.getSExtValue()) : std::nullopt;
}

inline bool isConstant(mlir::Value value, int64_t wanted) { return constantOf(value) == wanted; }

} // namespace cilk2gpu::cilk

#endif // CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_CONSTANTS_H
