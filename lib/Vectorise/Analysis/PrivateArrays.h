// Local arrays of a lane that can be laid out by lane: for each element, a row holds that element of every lane. If all
// lanes have the same index, an access is one contiguous vector whose lanes are as narrow as the element.
//
//   lane form:  char board[3]          | 0 | 1 | 2 |
//   wavefront:  rows of W bytes        | 0 of lane 0, 0 of lane 1, ... | 1 of lane 0, ... | 2 of lane 0, ... |
//
// Byte o of lane l lies at o * W + l * granule + o % granule. Every access begins at a multiple of the granule.
#ifndef CILK2GPU_LIB_VECTORISE_ANALYSIS_PRIVATEARRAYS_H
#define CILK2GPU_LIB_VECTORISE_ANALYSIS_PRIVATEARRAYS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace cilk2gpu {

/// The local arrays of a function whose addresses are only used by loads, stores and block copies.
class PrivateArrays {
public:
  PrivateArrays(mlir::LLVM::LLVMFuncOp func, const mlir::DataLayout &dataLayout);

  struct Array {
    uint64_t size;        ///< bytes of the array of one lane
    uint64_t granule = 8; ///< bytes of an element, which divide every offset and size of an access
  };

  /// Returns the array for `local`, or null if it is none.
  const Array *find(mlir::LLVM::AllocaOp local) const;

  /// Returns the local variable into which `pointer` points if it is one of the arrays, else null.
  mlir::LLVM::AllocaOp baseOf(mlir::Value pointer) const;

private:
  bool collect(mlir::LLVM::AllocaOp local, Array &array);
  bool collectUse(mlir::OpOperand &use, Array &array);
  void unifyCopies(mlir::LLVM::LLVMFuncOp func);

  const mlir::DataLayout &dataLayout;
  llvm::MapVector<mlir::Operation *, Array> arrays;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_ANALYSIS_PRIVATEARRAYS_H
