// What reducers do with their views: the operations of integers whose order does not matter, and where
// functions do no more than apply them.
#ifndef CILK2GPU_SUPPORT_REDUCEROPERATIONS_H
#define CILK2GPU_SUPPORT_REDUCEROPERATIONS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

#include <map>
#include <optional>

namespace cilk2gpu {

/// An operation on integers whose order does not matter, and its neutral element.
struct Monoid {
  llvm::IntegerType *type = nullptr;
  llvm::AtomicRMWInst::BinOp operation = llvm::AtomicRMWInst::Add;

  bool operator==(const Monoid &) const = default;
  llvm::Constant *neutral() const;
  /// Returns the result of the operation for two values.
  llvm::Value *combine(llvm::IRBuilderBase &builder, llvm::Value *left, llvm::Value *right) const;
};

/// Finds the operations of reducers. Thread-safety: none.
class Monoids {
public:
  /// Returns the operation of the reducer of a lookup, if it is such an operation.
  std::optional<Monoid> of(const llvm::CallBase &lookup);

private:
  /// By the functions for the identity and for reducing, and the number of bits.
  std::map<std::tuple<llvm::Function *, llvm::Function *, unsigned>, std::optional<Monoid>> known;
};

/// Follows a value through a local variable that is written once, as parameters are in Clang's code.
llvm::Value *writtenValue(llvm::Value *value);

/// Returns true for a lookup of a view (`__hyper_lookup`).
bool isLookup(const llvm::Instruction &inst);

/// Inlines members of classes of reducers and of views in a function that updates reducers, except for calls in `kept`.
void inlineMembers(llvm::Function &function, const llvm::SmallPtrSetImpl<const llvm::Instruction *> &kept);

/// Returns true if a function uses its views of a reducer only to apply the operation. All values that it leaves in a
/// view are combinations of the view's value with others. Nothing else depends on the view. `isLookup` is true for the
/// lookups of the reducer.
bool onlyAccumulates(llvm::Function &function, const Monoid &monoid,
                     llvm::function_ref<bool(llvm::CallBase &)> isLookup);

/// Inlines the calls of ordinary functions that update a variable in place of a view. Sums may then be computed in an
/// order that the source does not have, so additions of the variable lose their overflow flags.
void inlineUpdatesOf(llvm::AllocaInst &variable, const Monoid &monoid);

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_REDUCEROPERATIONS_H
