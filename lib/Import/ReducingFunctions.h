// Functions that can return the updates of their reducers, instead of making them (ReducedResults.cpp).
#ifndef CILK2GPU_LIB_IMPORT_REDUCINGFUNCTIONS_H
#define CILK2GPU_LIB_IMPORT_REDUCINGFUNCTIONS_H

#include "OrdinaryCode.h"
#include "ReducerFunctions.h"

#include "cilk2gpu/Support/ReducerOperations.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace cilk2gpu {

/// A reducer that a function updates: a variable of the program, or an argument of the function.
struct UpdatedReducer {
  llvm::Value *object = nullptr;
  llvm::CallBase *lookup = nullptr; ///< one of those that the function or a callee has
};

/// A spawn of a function: its markers, the call between them, and the store of the result, or null.
struct SpawnedUpdate {
  llvm::CallBase *begin, *end, *call;
  llvm::StoreInst *store = nullptr;
  /// Returns the variable that gets the result, or null.
  llvm::AllocaInst *variable() const {
    return store ? llvm::cast<llvm::AllocaInst>(store->getPointerOperand()) : nullptr;
  }
};

/// Functions of a unit that can return the updates of their reducers.
class ReducingFunctions {
public:
  ReducingFunctions(llvm::Module &module, Monoids &monoids);

  llvm::ArrayRef<llvm::Function *> getArrayRef() const { return fitting.getArrayRef(); }
  bool contains(llvm::Function *function) const { return fitting.contains(function); }
  llvm::ArrayRef<UpdatedReducer> reducersOf(llvm::Function *function) const { return reducers.find(function)->second; }

  /// Returns the number of the caller's reducer that a reducer of the callee is. The call must be of such a function.
  unsigned numberAt(llvm::CallBase &call, const UpdatedReducer &ofCallee) const;
  /// Returns true if the results of a function's children need a variable for each spawn, because there is more than
  /// one number to return. Otherwise, children add their results to one variable.
  bool needsSlots(llvm::Function &function) const;
  /// Returns true if a function returns several numbers.
  bool returnsStruct(llvm::Function &function) const {
    return !function.getReturnType()->isVoidTy() || reducersOf(&function).size() > 1;
  }
  /// Returns the spawns of such functions in a function.
  llvm::SmallVector<SpawnedUpdate> spawnsOf(llvm::Function &function) const;

private:
  llvm::Function *calleeOf(const llvm::Instruction &inst) const {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&inst);
    return call ? llvm::dyn_cast<llvm::Function>(call->getCalledOperand()) : nullptr;
  }
  bool canLookUp(llvm::Function &function) const;
  void closeOverCallers();
  void findReducers();
  bool addTo(llvm::Function &function, llvm::Value *object, llvm::CallBase &lookup);
  bool takeFrom(llvm::Function &caller, llvm::CallBase &call);
  bool fitsReducers(llvm::Function &function);
  bool fitsCalls(llvm::Function &function) const;
  bool canShare(const SpawnedUpdate &spawn, const SpawnedUpdate &other) const;
  bool fitsSpawns(llvm::Function &function) const;
  void dropUnfit();
  void keepRecursive();

  const KnownLibraries library;
  Monoids &monoids;
  llvm::SetVector<llvm::Function *> touching; ///< may look up a view, themselves or by what they call
  llvm::SetVector<llvm::Function *> fitting;
  llvm::DenseMap<llvm::Function *, llvm::SmallVector<UpdatedReducer>> reducers;
};

/// Returns true if a function may return updates, as far as its code without its reducers and callees tells.
bool hasFittingShape(llvm::Function &function);

/// Returns true if an instruction waits for the children of its function.
bool isSync(const llvm::Instruction &inst);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_REDUCINGFUNCTIONS_H
