// Takes the Cilk functions out of a module and brings them into the form that the MLIR import wants.
#ifndef CILK2GPU_LIB_IMPORT_EXTRACT_H
#define CILK2GPU_LIB_IMPORT_EXTRACT_H

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// Function attribute on a Cilk function: pointers may lead to it.
inline constexpr const char kAddressTakenAttr[] = "cilk2gpu-address-taken";

/// What the names of functions begin with that hold an instruction which MLIR does not have.
inline constexpr const char kOutlinedPrefix[] = "__cilk2gpu_outlined";

/// Functions of `module` that contain a marker, or are tasks without one (kTaskFunctionAttr), in module order.
llvm::SmallVector<llvm::Function *> findCilkFunctions(llvm::Module &module);

/// A module with copies of `functions`, in SSA form, spawns in normal form (Markers.h), and declarations of all that
/// they use. Null after an error, which is reported through the context.
std::unique_ptr<llvm::Module> extractCilk(llvm::Module &module, llvm::ArrayRef<llvm::Function *> functions);

/// Makes serial elisions of those `functions` that unwinding does something in, next to them, and names them in
/// kElisionFunctionAttr.
void cloneElisions(llvm::ArrayRef<llvm::Function *> functions);

/// Makes `host`, which is not split, run its elision where everything runs serially.
void callElision(llvm::Function &host, llvm::Function &elision);

/// Brings exception handling into the form that tasks have (Unwinding.cpp) and return syncs into that of syncs. Returns
/// false after an error.
bool prepareUnwinding(llvm::Function &function, const llvm::SmallPtrSetImpl<llvm::Function *> &cilkFunctions);

/// Marks those `functions` that throw nothing, as all that they call throws nothing: Clang says so of a function only
/// if it has seen its callees before, and so of no recursion.
void markUnthrowing(llvm::ArrayRef<llvm::Function *> functions);

/// Makes children of a task end before a handler of its own runs, which may destroy what they use (HandlerSyncs.cpp):
/// where exceptions land at pads for which `isTasks` holds.
void syncBeforeHandlers(llvm::Function &function, const llvm::SmallPtrSetImpl<llvm::Function *> &cilkFunctions,
                        llvm::function_ref<bool(llvm::BasicBlock *)> isTasks);

/// Whether `function` has variable-length arrays, or calls alloca.
bool hasDynamicLocals(llvm::Function &function);

/// Gives a task storage of the runtime's instead (DynamicLocals.cpp).
void replaceDynamicLocals(llvm::Function &function);

/// Puts a sync marker before an instruction.
void createSync(llvm::Instruction *before);

/// Declares the runtime's count of a cilk_for's iterations.
llvm::FunctionCallee getTripCount(llvm::Module &module);

/// Replaces every marked cilk_for of `function` by a call of a task that runs its range of iterations; innermost first.
/// `cilkFunctions` are those that calls wait for. Returns false after an error.
bool extractLoops(llvm::Function &function, const llvm::SmallPtrSetImpl<llvm::Function *> &cilkFunctions);

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

/// Brings each marked spawn of `function` into normal form: the call and at most one store of its result between the
/// markers. Anything else (conversions, struct copies) moves, with the call, into a task function of its own. Returns
/// false after an error.
bool normalizeSpawns(llvm::Function &function);

/// Makes functions of parts of a task in SSA form, with spawns in normal form, that allocate and compute in loops and
/// spawn nothing (ExtractLeaves.cpp). `original` has the bodies of what the task calls.
void extractLeaves(llvm::Function &task, const llvm::Module &original);

/// Removes declarations that nothing refers to, and whole-program lists (constructors, used).
void dropUnused(llvm::Module &module);

/// Makes ordinary declarations of the functions that are chosen at start-up (ifunc): a module's copy has them all, but
/// not the functions that choose.
void declareIndirectFunctions(llvm::Module &module);

/// Reports `message` at the location of `where` (or of its function) as an error of the user's program.
void reportError(llvm::Instruction &where, const llvm::Twine &message);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_EXTRACT_H
