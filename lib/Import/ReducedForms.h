// Functions that return the updates of their reducers (see ReducedResults.cpp), and their serial elisions.
#ifndef CILK2GPU_LIB_IMPORT_REDUCEDFORMS_H
#define CILK2GPU_LIB_IMPORT_REDUCEDFORMS_H

#include "ReducingFunctions.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace cilk2gpu {

/// The form of a function that returns its updates.
struct ReducedForm {
  llvm::Function *function = nullptr;
  llvm::SmallVector<Monoid> monoids; ///< of its reducers
  llvm::Type *ownResult = nullptr;   ///< of the original function; void if it has none
  bool isStruct() const { return function->getReturnType()->isStructTy(); }
  /// Returns the update of a reducer from a result of the function.
  llvm::Value *update(llvm::IRBuilderBase &builder, llvm::Value *result, unsigned number) const {
    return isStruct() ? builder.CreateExtractValue(result, number + !ownResult->isVoidTy()) : result;
  }
  /// Returns the update of a reducer from a variable for results.
  llvm::Value *updateIn(llvm::IRBuilderBase &builder, llvm::Value *slot, unsigned number) const {
    llvm::Type *type = function->getReturnType();
    return isStruct() ? builder.CreateStructGEP(type, slot, number + !ownResult->isVoidTy()) : slot;
  }
  /// Returns the function's own result and the updates that the variables have, as the function does.
  void createReturn(llvm::IRBuilderBase &builder, llvm::Value *result,
                    llvm::ArrayRef<llvm::AllocaInst *> updates) const;
};

/// Returns a local function of another type with a copy of a function's code. Its first parameters are those of the
/// function. `copies` leads from the function's code to the copy.
llvm::Function *copyWithType(llvm::Function &function, llvm::FunctionType *type, llvm::StringRef suffix,
                             llvm::ValueToValueMapTy &copies);

using ReducedForms = llvm::DenseMap<llvm::Function *, ReducedForm>;

/// Makes the elisions of forms that return structures, and names them in kUpdatingElisionAttr. `functions` still has
/// the original code. Thread-safety: none.
void createUpdatingElisions(const ReducingFunctions &functions, const ReducedForms &reduced);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_REDUCEDFORMS_H
