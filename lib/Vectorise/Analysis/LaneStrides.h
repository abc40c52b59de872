// Analysis of the values that grow evenly from lane to lane, in the lane form of a block graph's body. Lanes whose
// addresses grow by the size of an element access neighbouring memory.
#ifndef CILK2GPU_LIB_VECTORISE_ANALYSIS_LANESTRIDES_H
#define CILK2GPU_LIB_VECTORISE_ANALYSIS_LANESTRIDES_H

#include "Divergence.h"

#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/DenseMap.h"

namespace cilk2gpu {

/// Strides of the values of a function that liftToStructured has rewritten. A value with stride s is v + s * i in lane
/// i, for one v. Arithmetic wraps at the width of the type; strides of pointers are bytes.
class LaneStrides {
public:
  LaneStrides(mlir::LLVM::LLVMFuncOp func, const Divergence &divergence, const mlir::DataLayout &dataLayout);

  /// Returns the stride of a value that varies, or nothing if it is not known to grow evenly.
  std::optional<int64_t> strideOf(mlir::Value value) const;

  /// Returns the conversions to a wider type on which the stride of a value depends. A value that wraps around between
  /// two lanes in the narrow type does not grow evenly in the wide one.
  llvm::SmallVector<mlir::Value> conversionsOf(mlir::Value value) const;

private:
  struct Growth {
    int64_t stride = 0;
    bool depends = false; ///< on conversions
    bool isSmall = false; ///< the value is a thread's coordinate, which does not wrap around
    /// The value does not wrap around as a signed or unsigned number, from lane 0 to the last active lane.
    bool isSigned = false, isUnsigned = false;
    bool operator==(const Growth &) const = default;
  };

  std::optional<Growth> growthOf(mlir::Value value) const;
  std::optional<Growth> growthOf(mlir::Operation *op) const;
  std::optional<Growth> growthOf(mlir::LLVM::GEPOp op) const;
  template <typename OpT> std::optional<Growth> sumOf(OpT op, int64_t sign) const;
  std::optional<Growth> sumOf(mlir::Value left, mlir::Value right, int64_t sign) const;
  std::optional<Growth> productOf(mlir::Value value, mlir::Value factor, bool isShift) const;
  std::optional<Growth> widened(mlir::Value value, bool isSigned) const;
  void visitLoop(mlir::Operation *op);
  void visit(mlir::Operation *op);
  void set(mlir::Value value, std::optional<Growth> growth);

  const Divergence &divergence;
  const mlir::DataLayout &dataLayout;
  llvm::DenseMap<mlir::Value, Growth> growths;
  llvm::DenseSet<mlir::Value> uneven; ///< arguments of loops that turned out not to grow evenly
  bool changed = false;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_ANALYSIS_LANESTRIDES_H
