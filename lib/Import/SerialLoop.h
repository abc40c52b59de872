// Makes serial loops from the markers of cilk_for loops, for elisions.
#ifndef CILK2GPU_LIB_IMPORT_SERIALLOOP_H
#define CILK2GPU_LIB_IMPORT_SERIALLOOP_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Instructions.h"

namespace cilk2gpu {

/// A loop that was made from a cilk_for.
struct SerialLoop {
  llvm::Value *count = nullptr;       ///< number of iterations, computed in front of the loop
  llvm::Value *index = nullptr;       ///< number of the iteration
  llvm::Instruction *start = nullptr; ///< the jump to the loop's head
  llvm::BasicBlock *body = nullptr;   ///< the first block of an iteration
  llvm::BasicBlock *after = nullptr;  ///< the block behind the loop
};

/// Returns the calls of the marker `name`, in order.
llvm::SmallVector<llvm::CallInst *> markersIn(llvm::Function &function, llvm::StringRef name);

/// Returns the end marker of the loop that `begin` begins, or null.
llvm::CallInst *findLoopEnd(llvm::CallInst &begin);

/// body -> for (value = first; value < last; value += step) body
SerialLoop makeSerialLoop(llvm::CallInst *begin, llvm::CallInst *end);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_SERIALLOOP_H
