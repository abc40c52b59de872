// Ordinary functions whose code becomes a task's.
#ifndef CILK2GPU_LIB_IMPORT_ORDINARYCODE_H
#define CILK2GPU_LIB_IMPORT_ORDINARYCODE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// The name of the function that `inst` calls; empty if it is no call, or of no known function.
llvm::StringRef calleeName(const llvm::Instruction &inst);

/// Calls `mark` for what may run between a begin marker and the end marker with its id.
void markRegion(llvm::CallInst &begin, llvm::StringRef endName,
                llvm::function_ref<void(const llvm::Instruction &)> mark);

/// Returns why an ordinary function cannot be a task's code; null if it can.
const char *whyNotSplit(const llvm::Function &function);

/// Returns whether the code of the one function can stand in the other.
bool haveSameTarget(const llvm::Function &into, const llvm::Function &function);

/// Inlines a call into a function that is going to be split. Returns the calls that stand there now.
llvm::SmallVector<llvm::CallBase *> inlineOrdinary(llvm::CallBase &call);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_ORDINARYCODE_H
