// The number of handlers around each instruction of a Cilk function, and the code for unwinding.
#ifndef CILK2GPU_LIB_IMPORT_HANDLERDEPTHS_H
#define CILK2GPU_LIB_IMPORT_HANDLERDEPTHS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"

namespace cilk2gpu {

/// The body of a cilk_for and a spawned block are tasks of their own, so the handlers around them do not count inside.
class HandlerDepths {
public:
  explicit HandlerDepths(llvm::Function &function);

  /// Returns the number of handlers that have begun before a call, and not ended.
  unsigned depthAt(const llvm::CallBase &call) const { return depths.lookup(&call); }

  /// Returns true if an exception is on its way to a handler or to the function's end.
  bool isUnwinding(const llvm::Instruction &inst) const;

private:
  void scan(llvm::BasicBlock &block, unsigned depth);
  void findUnwinding(llvm::Function &function);

  llvm::DenseMap<const llvm::CallBase *, unsigned> depths;
  llvm::DenseMap<uint64_t, unsigned> outside; ///< depth at the begin marker with this id
  llvm::SmallVector<std::pair<llvm::BasicBlock *, unsigned>> work;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> seen, unwinding;
};

/// Returns true if a handler in `function` spawns, syncs or calls a Cilk function.
bool hasKeywordsInHandlers(llvm::Function &function, const llvm::SmallPtrSetImpl<llvm::Function *> &cilkFunctions);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_HANDLERDEPTHS_H
