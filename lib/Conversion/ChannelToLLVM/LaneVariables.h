// Variables of the loop over a scalar kernel's lanes, for accumulators and counts. Without them, these would be in
// memory.
#ifndef CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_LANEVARIABLES_H
#define CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_LANEVARIABLES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace cilk2gpu {

inline mlir::Type pointerType(mlir::Builder &builder) { return mlir::LLVM::LLVMPointerType::get(builder.getContext()); }

/// The accumulators of a scalar kernel (cilk::kAccumulateAttr), as variables of the loop over the lanes.
class LaneAccumulators {
public:
  /// Rewrites `lane`. For each accumulation, it gets two parameters, which are addresses of variables. In a lane with
  /// very many accumulations, several share their variables.
  explicit LaneAccumulators(mlir::LLVM::LLVMFuncOp lane);

  /// Creates the variables, which are passed to the lane function. They are empty at first.
  llvm::SmallVector<mlir::Value> createVariables(mlir::OpBuilder &builder, mlir::Location loc) const;

  /// Folds the contents of the variables into memory. Leaves the insertion point behind this code.
  void flush(mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange variables) const;

private:
  struct Entry {
    mlir::LLVM::AtomicBinOp kind;
    mlir::Type type;
  };
  static void lower(mlir::LLVM::AtomicRMWOp update, mlir::Value current, mlir::Value sum);
  static void flush(mlir::OpBuilder &builder, mlir::Location loc, const Entry &entry, mlir::Value current,
                    mlir::Value sum);

  llvm::SmallVector<Entry> entries;
};

/// Offsets at which a kernel finds a count of elements or frames. The count is in a record. Either the wave, or a table
/// at which the wave points, has a pointer to the record.
struct CountAddress {
  uint64_t inWave;   ///< offset of the pointer
  uint64_t entry;    ///< index in the table, if there is a table
  uint64_t inRecord; ///< offset of the count
  bool isInTable;
  auto operator<=>(const CountAddress &other) const = default;
};

/// A load or store of a count in a lane function.
struct CountAccess {
  mlir::Operation *access;
  CountAddress count;
};

/// A call of the runtime that reads and changes `count` in its record.
struct CountExtension {
  mlir::LLVM::CallOp call;
  CountAddress count;
};

/// The counts of a scalar kernel, as variables of the loop over the lanes.
class LaneCounts {
public:
  /// Gives `lane` two parameters for each of the counts that it accesses most: the addresses of the variable and of the
  /// count itself. Each call in `extensions` finds the current count in the record, and the count is read again after
  /// the call.
  LaneCounts(mlir::LLVM::LLVMFuncOp lane, llvm::ArrayRef<CountAccess> accesses,
             llvm::ArrayRef<CountExtension> extensions);

  /// Creates the variables, which are passed to the lane function, and loads the counts from the records.
  llvm::SmallVector<mlir::Value> createVariables(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value wave) const;

  /// Stores the variables to the records.
  void flush(mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange variables) const;

private:
  llvm::SmallVector<CountAddress> counts;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_LANEVARIABLES_H
