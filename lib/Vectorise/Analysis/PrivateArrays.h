// Local arrays of a lane that can be laid out by lane: for each element, a row with that element of every lane. An
// index that is the same in all lanes is then one contiguous access, in lanes as narrow as the element.
//
//   lane form:  char board[3]          | 0 | 1 | 2 |
//   wavefront:  rows of W bytes        | 0 of lane 0, 0 of lane 1, ... | 1 of lane 0, ... | 2 of lane 0, ... |
//
// Byte o of lane l lies at o * W + l * granule + o % granule: every access begins at a multiple of the granule.
#ifndef CILK2GPU_LIB_VECTORISE_ANALYSIS_PRIVATEARRAYS_H
#define CILK2GPU_LIB_VECTORISE_ANALYSIS_PRIVATEARRAYS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace cilk2gpu {

/// The local arrays of a function whose address goes nowhere but into loads, stores and block copies.
class PrivateArrays {
public:
  PrivateArrays(mlir::LLVM::LLVMFuncOp func, const mlir::DataLayout &dataLayout);

  struct Array {
    uint64_t size;        ///< bytes of one lane's
    uint64_t granule = 8; ///< bytes of an element: every offset and size of an access is a multiple of it
  };

  /// The array that `local` is, or null.
  const Array *find(mlir::LLVM::AllocaOp local) const;

  /// The local variable that `pointer` points into, if it is one of the arrays, else null.
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
