// The calls of the functions that the extraction of loops has made, for passes that pass on what callers know.
#ifndef CILK2GPU_LIB_IMPORT_LOOPCALLS_H
#define CILK2GPU_LIB_IMPORT_LOOPCALLS_H

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// Range tasks of cilk_for and the bodies that they call, each with its calls. Only functions whose calls are all
/// visible are listed: code that is not Cilk may call user functions, too. Calls in serial loops (kSerialLoopAttr) are
/// left out, because such a loop passes on what its task would get.
class LoopCalls {
public:
  explicit LoopCalls(llvm::Module &module);

  auto begin() const { return calls.begin(); }
  auto end() const { return calls.end(); }
  bool contains(const llvm::Function *function) const { return calls.contains(const_cast<llvm::Function *>(function)); }

private:
  void add(llvm::Function &function);

  llvm::MapVector<llvm::Function *, llvm::SmallVector<llvm::CallBase *>> calls;
};

/// Calls `visit` for each serial loop whose task is among `calls`, with the task. The loop has the task's arguments.
void visitSerialLoops(llvm::Module &module, const LoopCalls &calls,
                      llvm::function_ref<void(llvm::Function &loop, llvm::Function &task)> visit);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_LOOPCALLS_H
