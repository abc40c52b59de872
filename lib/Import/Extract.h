// What the passes of the import share: finding Cilk functions, making functions of their parts, reporting errors.
#ifndef CILK2GPU_LIB_IMPORT_EXTRACT_H
#define CILK2GPU_LIB_IMPORT_EXTRACT_H

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// Function attribute on a Cilk function: pointers may lead to it.
inline constexpr const char kAddressTakenAttr[] = "cilk2gpu-address-taken";

/// Prefix of the names of functions that hold an instruction which MLIR does not have.
inline constexpr const char kOutlinedPrefix[] = "__cilk2gpu_outlined";

/// Functions of `module` that contain a marker, or are tasks without one (kTaskFunctionAttr), in module order.
llvm::SmallVector<llvm::Function *> findCilkFunctions(llvm::Module &module);

/// Returns whether a Cilk function of the extracted module is the user's own, not made of a loop or a spawn.
bool isUserFunction(const llvm::Function &function);

/// Makes `host`, which is not split, run its elision where everything runs serially.
void callElision(llvm::Function &host, llvm::Function &elision);

/// The landing pads for exceptions that iterations of the cilk_for loops of `function` handle themselves.
llvm::SmallPtrSet<llvm::BasicBlock *, 4> padsInLoops(llvm::Function &function);

/// Returns whether `function` has variable-length arrays, or calls alloca.
bool hasDynamicLocals(llvm::Function &function);

/// Puts a sync marker before an instruction.
void createSync(llvm::Instruction *before);

/// Declares the runtime's count of a cilk_for's iterations.
llvm::FunctionCallee getTripCount(llvm::Module &module);

/// Gives a function that LLVM has made of a part of another that part's first line in the source. It has none, which
/// notes for gcov cannot say.
void giveLine(llvm::Function &part, const llvm::DebugLoc &line);

/// Makes an internal function of blocks that are entered at the first one only, and calls it where they stood.
/// `outputs`: values of theirs that the rest uses, which it gets in memory. Null if that cannot be.
llvm::Function *extractPart(llvm::ArrayRef<llvm::BasicBlock *> part, llvm::SetVector<llvm::Value *> &outputs);

/// Takes away what a function has from the task that it was a part of.
void dropTaskMarks(llvm::Function &function);

/// Moves allocas that are used in `part` only to its first block, which is to become a function's; returns them.
llvm::SmallVector<llvm::AllocaInst *> sinkPrivates(llvm::ArrayRef<llvm::BasicBlock *> part);

/// Reports `message` at the location of `where` (or of its function) as an error of the user's program.
void reportError(llvm::Instruction &where, const llvm::Twine &message);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_EXTRACT_H
