// Forms of functions that are told their strand, and the record of a strand. Shared by the files of
// cilk-keep-pedigrees.
#ifndef CILK2GPU_LIB_IMPORT_PEDIGREEFORMS_H
#define CILK2GPU_LIB_IMPORT_PEDIGREEFORMS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// Value of a task's parameter `rank` in a plain call: the task goes on with the record of its caller.
inline constexpr uint64_t kSharedRecord = ~uint64_t(0);

/// The forms of a module's functions. A form has more parameters than its function:
/// - an ordinary function: the record of its strand;
/// - a Cilk function: the record of the spawning strand, and the rank of the spawn or kSharedRecord.
class StrandForms {
public:
  explicit StrandForms(llvm::Module &module);

  llvm::Module &module;
  llvm::PointerType *pointer;
  llvm::IntegerType *i64;
  llvm::StructType *place;  ///< a rank, and the address of the next place on the way to the root
  llvm::StructType *record; ///< the place of a task, the rank of its strand, and memory for the random numbers

  /// Makes `function.pedigree`, which takes over the code of `function`. Code outside of the module calls `function`,
  /// which passes the strand of its thread on.
  void createForm(llvm::Function &function, bool isTask);

  /// Returns the form of a function, or null.
  llvm::Function *formOf(const llvm::Value *callee) const { return forms.lookup(callee); }
  /// Returns true for a form of createForm, and for one of a Cilk function.
  bool isForm(const llvm::Function &form) const { return known.contains(&form); }
  bool isTask(const llvm::Function &form) const { return form.getFunctionType()->params().back() == i64; }

  /// Returns a function that sets the strand of the thread to its last argument, and does what `call` does. The callee
  /// is the first argument if it is a pointer.
  llvm::Function *enteringForm(llvm::CallBase &call);

  /// Returns a function that makes a record for a spawned call of an ordinary function, and does what `call` does. Its
  /// last arguments are those of a Cilk function's form.
  llvm::Function *spawnedForm(llvm::CallBase &call);

  /// Returns the strand of the thread, or sets it.
  llvm::CallInst *strandOfThread(llvm::IRBuilder<> &builder);
  llvm::CallInst *enter(llvm::IRBuilder<> &builder, llvm::Value *strand);

  /// Fills the record of a task that was spawned by `parent`, or of an iteration.
  void initialise(llvm::IRBuilder<> &builder, llvm::Value *strand, llvm::Value *rank, llvm::Value *parent);

  /// Raises the rank of a strand. Returns the rank before.
  llvm::Value *raise(llvm::IRBuilder<> &builder, llvm::Value *strand);

private:
  llvm::Function *createLocal(llvm::StringRef name, llvm::FunctionType *type);
  llvm::GlobalVariable *threadVariable(llvm::StringRef name, llvm::Type *type);
  void createThreadFunctions();
  void fillEntry(llvm::Function &function, llvm::Function &form);
  llvm::FunctionType *callerType(llvm::CallBase &call, llvm::ArrayRef<llvm::Type *> more) const;
  llvm::Function *createCaller(llvm::CallBase &call, llvm::StringRef suffix, llvm::FunctionType *type);
  llvm::CallInst *callInside(llvm::IRBuilder<> &builder, llvm::CallBase &like, llvm::Value *strand);

  llvm::Function *get = nullptr, *set = nullptr; ///< functions for the strand of the thread
  llvm::DenseMap<const llvm::Value *, llvm::Function *> forms;
  llvm::SmallPtrSet<const llvm::Function *, 16> known;
  llvm::DenseMap<std::pair<const llvm::Value *, llvm::FunctionType *>, llvm::Function *> entering, spawned;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_PEDIGREEFORMS_H
