// What a function may hold while it calls another: a lock, or something that only its own thread has.
#ifndef CILK2GPU_LIB_TARGET_LLVMIR_HELDSTATE_H
#define CILK2GPU_LIB_TARGET_LLVMIR_HELDSTATE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// A task goes on after a call that it waits for, maybe in another thread, and with other tasks in between that may
/// want what it holds. So code that takes something before such a call and gives it back behind it stays in one piece.
class HeldState {
public:
  /// Calls of `tasks`, and spawned calls, take nothing for their callers: what they wait for would wait for it, too.
  HeldState(llvm::Module &module, const llvm::SmallPtrSetImpl<const llvm::Function *> &tasks,
            const llvm::SmallPtrSetImpl<const llvm::CallBase *> &spawned);

  /// May something be taken in a function before `call`, and be given back after it?
  bool holdsAcross(const llvm::CallBase &call);

private:
  enum Effects : unsigned { None = 0, Takes = 1, Gives = 2, Both = 3 };
  /// Whether something may be held where a block begins, and whether something may be given back after its end.
  using BlockStates = llvm::DenseMap<const llvm::BasicBlock *, unsigned>;

  unsigned effectsOf(const llvm::Instruction &inst) const;
  unsigned effectsOf(const llvm::CallBase &call) const;
  unsigned ownEffects(const llvm::Function &function, llvm::SmallVectorImpl<const llvm::Function *> &callees) const;
  BlockStates flow(const llvm::Function &function) const;

  const llvm::SmallPtrSetImpl<const llvm::Function *> &tasks;
  const llvm::SmallPtrSetImpl<const llvm::CallBase *> &spawned;
  llvm::TargetLibraryInfoImpl implementation;
  llvm::TargetLibraryInfo library;
  llvm::DenseMap<const llvm::Function *, unsigned> summaries;
  llvm::DenseMap<const llvm::Function *, BlockStates> flows;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_LLVMIR_HELDSTATE_H
