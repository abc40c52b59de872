// What reducers do with their views: the operations of integers whose order does not matter, and single updates.
#ifndef CILK2GPU_LIB_IMPORT_REDUCEROPERATIONS_H
#define CILK2GPU_LIB_IMPORT_REDUCEROPERATIONS_H

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

#include <map>
#include <optional>

namespace cilk2gpu {

/// An operation on integers whose order does not matter, and its neutral element.
struct Monoid {
  llvm::IntegerType *type;
  llvm::Instruction::BinaryOps operation;

  bool operator==(const Monoid &) const = default;
  llvm::Constant *neutral() const {
    return operation == llvm::Instruction::And ? llvm::ConstantInt::getAllOnesValue(type)
                                               : llvm::ConstantInt::get(type, 0);
  }
  llvm::AtomicRMWInst::BinOp atomic() const {
    switch (operation) {
    case llvm::Instruction::Add:
      return llvm::AtomicRMWInst::Add;
    case llvm::Instruction::And:
      return llvm::AtomicRMWInst::And;
    case llvm::Instruction::Or:
      return llvm::AtomicRMWInst::Or;
    default:
      return llvm::AtomicRMWInst::Xor;
    }
  }
};

/// An update of a reducer: a lookup of the view, a load, an operation, and a store.
struct ReducerUpdate {
  llvm::CallBase *lookup;
  llvm::LoadInst *load;
  llvm::BinaryOperator *operation;
  llvm::StoreInst *store;
};

/// Finds the operations of reducers. Thread-safety: none.
class Monoids {
public:
  /// Returns the operation of the reducer of a lookup, if it is such an operation.
  std::optional<Monoid> of(const llvm::CallBase &lookup);

private:
  /// By the functions for the identity and for reducing.
  std::map<std::pair<llvm::Function *, llvm::Function *>, std::optional<Monoid>> known;
};

/// Follows a value through a local variable that is written once, as parameters are in Clang's code.
llvm::Value *writtenValue(llvm::Value *value);

/// Inlines members of classes of reducers and of views in a function that updates reducers.
void inlineMembers(llvm::Function &function);

/// Returns the update that begins with a lookup, if the view is used for nothing else.
std::optional<ReducerUpdate> findUpdate(llvm::CallBase &lookup, const Monoid &monoid);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_REDUCEROPERATIONS_H
