// Analysis of the state that a function may hold while it calls another function: a lock, or data that only its thread
// has.
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

/// Finds calls across which state is held. After a call for which a task waits, the task may go on in another thread.
/// Other tasks run in between, and may want a lock that the task holds. So code that takes state before a call and
/// gives it back behind the call must stay in one piece. The functions that take and give back may stand anywhere on
/// the way from the task to the call.
class HeldState {
public:
  using Functions = llvm::SmallPtrSetImpl<const llvm::Function *>;

  /// `tasks` are the Cilk functions, and the ordinary functions that reach them. A spawned call takes nothing for its
  /// caller, because all tasks that wait for the state would wait for the caller, too. `mayBePart` returns true for
  /// other calls that may become calls of tasks.
  HeldState(llvm::Module &module, const Functions &tasks, const Functions &cilkFunctions,
            const llvm::SmallPtrSetImpl<const llvm::CallBase *> &spawned,
            llvm::function_ref<bool(llvm::CallBase &)> mayBePart);

  /// Returns true if state may be taken before `call` of a task, and given back after it.
  bool holdsAcross(const llvm::CallBase &call) const;

  /// Returns true if state may be held across `call` when the callee becomes another task. Then the callee may also
  /// give back state that the caller takes, or take state that the caller gives back.
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
    TakesOwn = 64,     ///< certainly uses data of the thread, which a called task may also use
    GivesOwn = 128,
    Own = Both | Obtains | TakesOwn | GivesOwn,
    Before = Takes | Obtains | Sets | TakesOwn,
    After = Gives | Uses | UsesArgument | GivesOwn,
  };
  /// Effects in the calling function that may happen before a call, and after it.
  struct CallEffects {
    unsigned before = None, after = None;
    unsigned passes = None; ///< effects through the arguments of a call of a Cilk function
    unsigned inside = None; ///< effects of the call itself
  };

  /// Effects in a function's callers that may happen before they call it, and after it.
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
  mutable llvm::DenseMap<const llvm::AllocaInst *, unsigned>
      variables; ///< effects of uses through the pointer in a variable
  llvm::MapVector<const llvm::CallBase *, CallEffects> callEffects;
  llvm::DenseMap<const llvm::Function *, Contexts>
      contexts; ///< for each function, one context for each way on which tasks call it
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_HELDSTATE_H
