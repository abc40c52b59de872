// What code does with an object to which it has a pointer.
#ifndef CILK2GPU_LIB_IMPORT_POINTERUSE_H
#define CILK2GPU_LIB_IMPORT_POINTERUSE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// What code does with an object to which it has a pointer. A sum of these.
enum Effect : unsigned {
  Nothing = 0,
  Reads = 1,
  Writes = 2,
  Keeps = 4,   ///< the pointer may be known later, or elsewhere
  Returns = 8, ///< the function around the use returns the pointer
};

/// Finds out what code does with an object. Follows pointers into the functions that get them, in Clang's unoptimised
/// code, where a parameter is stored to a variable of its own.
class PointerUse {
public:
  /// An instruction of which `isElsewhere` is true knows the pointer later, or elsewhere.
  PointerUse(const llvm::Module &unit, llvm::function_ref<bool(const llvm::Instruction &)> isElsewhere)
      : unit(unit), isElsewhere(isElsewhere) {}

  /// Returns the effects of one use of a pointer.
  unsigned effectOf(const llvm::Use &use);
  unsigned effectOfUses(const llvm::Value &pointer);

private:
  static constexpr size_t kMostPointers = 500; ///< that are followed

  unsigned effectOfStore(const llvm::StoreInst &store, const llvm::Use &use);
  unsigned effectOfCall(const llvm::CallBase &call, const llvm::Use &use);
  unsigned effectOfParameter(const llvm::CallBase &call, const llvm::Argument &parameter);

  const llvm::Module &unit;
  llvm::function_ref<bool(const llvm::Instruction &)> isElsewhere;
  llvm::DenseMap<const llvm::Value *, unsigned> effectsOf; ///< of the pointers that were followed
  llvm::SmallPtrSet<const llvm::Value *, 16> followed;     ///< pointers whose uses are being examined
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_POINTERUSE_H
