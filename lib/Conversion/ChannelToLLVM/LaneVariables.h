// Variables of the loop over a scalar kernel's lanes: accumulators and counts, which would be in memory otherwise.
#ifndef CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_LANEVARIABLES_H
#define CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_LANEVARIABLES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace cilk2gpu {

/// The accumulators of a scalar kernel (cilk::kAccumulateAttr): variables of the loop over the lanes.
class LaneAccumulators {
public:
  /// Gives `lane` two parameters for each accumulation in it, the addresses of the variables, and rewrites it;
  /// very many share theirs.
  explicit LaneAccumulators(mlir::LLVM::LLVMFuncOp lane);

  /// Creates the variables, to be handed to the lane function; nothing is in them yet.
  llvm::SmallVector<mlir::Value> createVariables(mlir::OpBuilder &builder, mlir::Location loc) const;

  /// Folds what is in the variables into memory. Leaves the builder behind it.
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

/// Offsets at which a kernel finds a count of elements or frames. The count is in a record. The wave, or a table that
/// the wave points at, points at the record.
struct CountAddress {
  uint64_t inWave;   ///< offset of the pointer
  uint64_t entry;    ///< of the table, if it is one
  uint64_t inRecord; ///< offset of the count
  bool isInTable;
  auto operator<=>(const CountAddress &other) const = default;
};

/// A load or store of a count in a lane function.
struct CountAccess {
  mlir::Operation *access;
  CountAddress count;
};

/// A call that makes room in the record of `count`.
struct CountExtension {
  mlir::LLVM::CallOp call;
  CountAddress count;
};

/// The counts of a scalar kernel: variables of the loop over the lanes.
class LaneCounts {
public:
  /// Gives `lane` two parameters for each of the counts that it accesses most, the addresses of the variable and of the
  /// count itself. A count is up to date when one of `extensions` looks at it, and read again after it.
  LaneCounts(mlir::LLVM::LLVMFuncOp lane, llvm::ArrayRef<CountAccess> accesses,
             llvm::ArrayRef<CountExtension> extensions);

  /// Creates the variables, to be handed to the lane function, with what the records have.
  llvm::SmallVector<mlir::Value> createVariables(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value wave) const;

  /// Puts what is in the variables into the records.
  void flush(mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange variables) const;

private:
  llvm::SmallVector<CountAddress> counts;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_LANEVARIABLES_H
