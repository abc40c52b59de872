// Functions that the passes of the import share: to find Cilk functions, to make functions of their parts, to report
// errors.
#ifndef CILK2GPU_LIB_IMPORT_EXTRACT_H
#define CILK2GPU_LIB_IMPORT_EXTRACT_H

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// Function attribute of a Cilk function to which pointers may lead.
inline constexpr const char kAddressTakenAttr[] = "cilk2gpu-address-taken";

/// Prefix of the names of functions that contain a single instruction, which MLIR cannot represent.
inline constexpr const char kOutlinedPrefix[] = "__cilk2gpu_outlined";

/// Returns the functions of `module` that contain a marker, or are tasks without one (kTaskFunctionAttr), in module
/// order.
llvm::SmallVector<llvm::Function *> findCilkFunctions(llvm::Module &module);

/// Returns the bodies of kernels of thread blocks (kBlockBodyAttr), in order.
llvm::SmallVector<llvm::Function *> findBlockBodies(llvm::Module &module);

/// Returns the functions that are taken out of the unit: Cilk functions and bodies of kernels.
llvm::SmallVector<llvm::Function *> findGraphFunctions(llvm::Module &module);

/// Returns true if a Cilk function of the extracted module is the user's own, not made from a loop or a spawn.
bool isUserFunction(const llvm::Function &function);

/// Removes the markers from a function, and makes loops of its cilk_for loops.
void elideKeywords(llvm::Function &elision);

/// Makes `host`, which is not split, call its elision if the program runs serially.
void callElision(llvm::Function &host, llvm::Function &elision);

/// Returns the landing pads for exceptions that iterations of the cilk_for loops of `function`, and its
/// spawned blocks, handle themselves.
llvm::SmallPtrSet<llvm::BasicBlock *, 4> padsInLoops(llvm::Function &function);

/// Returns true if `function` has variable-length arrays, or calls alloca.
bool hasDynamicLocals(llvm::Function &function);

/// Puts a sync marker where the builder stands, or before an instruction. Inlining never makes an invoke of it.
void createSync(llvm::IRBuilderBase &builder);
void createSync(llvm::Instruction *before);

/// Declares the runtime's count of a cilk_for's iterations.
llvm::FunctionCallee getTripCount(llvm::Module &module);

/// Gives `part`, a function that LLVM has made from a part of another function, its name in debug information, and the
/// source line where the part begins. Notes for gcov need a line.
void giveLine(llvm::Function &part, const llvm::DebugLoc &line);

/// Splits blocks so that the code between a marker and the end marker with its id is a set of whole blocks, and returns
/// them, the first one first. Sets `end` to the end marker, or to null if no path leads to it.
llvm::SmallVector<llvm::BasicBlock *> isolateBody(llvm::CallInst &begin, llvm::StringRef endMarker,
                                                  llvm::CallInst *&end);

/// Makes an internal function from blocks that are entered only at the first one, and puts a call in their place.
/// `outputs` are values of the blocks that the other code uses; the function returns them through memory. Returns null
/// if this is impossible.
llvm::Function *extractPart(llvm::ArrayRef<llvm::BasicBlock *> part, llvm::SetVector<llvm::Value *> &outputs);

/// Removes attributes that a function inherits from the task of which it was a part.
void dropTaskMarks(llvm::Function &function);

/// Moves allocas that are used only in `part` to its first block, which will become a function's entry. Returns the
/// allocas.
llvm::SmallVector<llvm::AllocaInst *> sinkPrivates(llvm::ArrayRef<llvm::BasicBlock *> part);

/// Reports `message` as an error of the user's program, at the location of `where` or else of its function.
void reportError(llvm::Instruction &where, const llvm::Twine &message);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_EXTRACT_H
