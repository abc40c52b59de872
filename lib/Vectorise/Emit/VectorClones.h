// Vector clones: copies of functions that kernels call, which run for all lanes of a vector at once.
//
//   i64 mixed(i64 x, ptr table)
//   vector<32xi64> mixed.clone.avx512.32vu(i32 mask, vector<32xi64> x, ptr table)
//
// The mask has a bit for each lane. An argument is a vector (v), or a scalar if all lanes of the calling vector have
// the same value (u). There is a clone for each such choice that occurs in calls. The bytes of integers are a power of
// two.
#ifndef CILK2GPU_LIB_VECTORISE_EMIT_VECTORCLONES_H
#define CILK2GPU_LIB_VECTORISE_EMIT_VECTORCLONES_H

#include "cilk2gpu/Support/VectorIsa.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

namespace cilk2gpu {

/// The clones of a module. A clone is declared when it is first called.
class VectorClones {
public:
  explicit VectorClones(mlir::ModuleOp module) : module(module) {}

  struct Clone {
    mlir::LLVM::LLVMFuncOp source;   ///< code of one lane (lane::kCloneAttr)
    mlir::LLVM::LLVMFuncOp vector;   ///< the clone, which is declared
    llvm::SmallVector<bool> varying; ///< for each argument, true if it differs from lane to lane
    unsigned length;
    const VectorIsaInfo *isa;
  };

  /// Returns the function with the code of one lane in a call of `callee`, or null if no clones are made for the
  /// instruction set.
  mlir::LLVM::LLVMFuncOp sourceOf(llvm::StringRef callee, const VectorIsaInfo &isa);

  /// Returns the clone of type `type`, for vectors of `length` lanes.
  mlir::LLVM::LLVMFuncOp get(mlir::LLVM::LLVMFuncOp source, llvm::ArrayRef<bool> varying, unsigned length,
                             const VectorIsaInfo &isa, mlir::LLVM::LLVMFunctionType type);

  /// Returns the clones that were requested and have no body yet. They are not returned again.
  llvm::SmallVector<Clone> takeNew() { return std::exchange(wanted, {}); }

private:
  mlir::ModuleOp module;
  llvm::SmallVector<Clone> wanted;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_EMIT_VECTORCLONES_H
