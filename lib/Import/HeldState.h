// What a function may hold while it calls another: a lock, or something that only its own thread has.
#ifndef CILK2GPU_LIB_IMPORT_HELDSTATE_H
#define CILK2GPU_LIB_IMPORT_HELDSTATE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// A task goes on after a call that it waits for, maybe in another thread. Other tasks run in between, and may want
/// what the task holds. So code that takes something before the call and gives it back behind it stays in one piece.
/// The functions that do so may stand anywhere on the way from the task to the call.
class HeldState {
public:
  using Functions = llvm::SmallPtrSetImpl<const llvm::Function *>;

  /// `tasks`: Cilk functions and the ordinary ones that reach them. A spawned call takes nothing for its caller: what
  /// that waits for would wait for it, too. `mayBePart` says of which other calls tasks may be made.
  HeldState(llvm::Module &module, const Functions &tasks, const Functions &cilkFunctions,
            const llvm::SmallPtrSetImpl<const llvm::CallBase *> &spawned,
            llvm::function_ref<bool(llvm::CallBase &)> mayBePart);

  /// May something be taken before `call` of a task, and be given back after it?
  bool holdsAcross(const llvm::CallBase &call) const;

  /// The same if all that is called becomes another task, which may be given what the caller takes, or take what it
  /// gives back.
  bool holdsAroundTask(const llvm::CallBase &call) const;

private:
  enum Effects : unsigned {
    None = 0,
    Takes = 1,
    Gives = 2,
    Both = Takes | Gives,
    Obtains = 4,       ///< gets a pointer that may lead to data of the thread
    Uses = 8,          ///< uses memory through a pointer that may lead to data of the thread
    UsesArgument = 16, ///< uses data of the thread if a caller passes a pointer to it
    Sets = 32,         ///< changes the thread's floating-point mode, for arithmetic that follows
    TakesOwn = 64,     ///< uses data of the thread for sure, and so may a task that is called
    GivesOwn = 128,
    Own = Both | Obtains | TakesOwn | GivesOwn,
    Before = Takes | Obtains | Sets | TakesOwn,
    After = Gives | Uses | UsesArgument | GivesOwn,
  };
  /// Effects that may have happened before a call, and that may happen after it, in the calling function.
  struct CallEffects {
    unsigned before = None, after = None;
    unsigned passes = None; ///< what its arguments point to, if it is of a Cilk function
    unsigned inside = None; ///< what it does itself
  };

  /// Effects that may have happened in a function's callers before it is called, and that may happen there after it.
  using Context = std::pair<unsigned, unsigned>;
  using Contexts = llvm::SmallSetVector<Context, 4>;
  using Variables = llvm::SmallPtrSet<const llvm::AllocaInst *, 8>;

  void summarise(llvm::Module &module);
  void findCallEffects(const llvm::Function &function);
  void spread(llvm::function_ref<bool(llvm::CallBase &)> mayBePart);
  static bool holds(const CallEffects &effects, Context context);
  bool holds(const llvm::CallBase &call, const CallEffects &effects) const;

  unsigned effectsOf(const llvm::Instruction &inst) const;
  unsigned effectsOf(const llvm::CallBase &call) const;
  unsigned effectsOfUnknown(const llvm::CallBase &call) const;
  unsigned usesOfArguments(const llvm::CallBase &call) const;
  unsigned usesThrough(const llvm::Value *pointer) const;
  unsigned usesThrough(const llvm::Value *pointer, Variables &seen) const;
  unsigned usesThroughVariable(const llvm::AllocaInst &variable, Variables &seen) const;
  unsigned forCallers(const llvm::Function &callee) const;
  unsigned ownEffects(const llvm::Function &function, llvm::SmallVectorImpl<const llvm::Function *> &callees) const;

  const Functions &tasks, &cilkFunctions;
  const llvm::SmallPtrSetImpl<const llvm::CallBase *> &spawned;
  llvm::TargetLibraryInfoImpl implementation;
  llvm::TargetLibraryInfo library;
  llvm::DenseMap<const llvm::Function *, unsigned> summaries;
  mutable llvm::DenseMap<const llvm::AllocaInst *, unsigned> variables; ///< what uses through pointers in them are
  llvm::MapVector<const llvm::CallBase *, CallEffects> callEffects;
  llvm::DenseMap<const llvm::Function *, Contexts> contexts; ///< of the ways on which tasks come to a function
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_HELDSTATE_H
