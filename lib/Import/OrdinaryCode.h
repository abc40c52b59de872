// Ordinary functions whose code becomes part of a task.
#ifndef CILK2GPU_LIB_IMPORT_ORDINARYCODE_H
#define CILK2GPU_LIB_IMPORT_ORDINARYCODE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// Returns the name of the function that `inst` calls. Returns an empty name if `inst` is no call, or the function is
/// not known.
llvm::StringRef calleeName(const llvm::Instruction &inst);

/// Calls `mark` for the instructions that may run between a begin marker and the end marker with its id.
void markRegion(llvm::CallInst &begin, llvm::StringRef endName,
                llvm::function_ref<void(const llvm::Instruction &)> mark);

/// Adds the code between the markers `begin` and `end` of a function to `region`.
void markRegions(llvm::Function &function, llvm::StringRef begin, llvm::StringRef end,
                 llvm::SmallPtrSetImpl<const llvm::Instruction *> &region);

/// Returns the reason why the code of a function cannot stand in another function, or null if it can. Such code
/// accesses its own stack frame, for example.
const char *whyNotMoved(const llvm::Function &function);

/// Returns the reason why the code of an ordinary function cannot run in a task, or null if it can.
const char *whyNotSplit(const llvm::Function &function);

/// Returns true if the code of `function` may be inlined into `into`.
bool haveSameTarget(const llvm::Function &into, const llvm::Function &function);

/// Inlines a call into a function that will be split. Returns the calls that stand there now.
llvm::SmallVector<llvm::CallBase *> inlineOrdinary(llvm::CallBase &call);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_ORDINARYCODE_H
