// The code between the markers of a spawn in Clang's code, which may have exception handling.
#ifndef CILK2GPU_LIB_IMPORT_SPAWNCODE_H
#define CILK2GPU_LIB_IMPORT_SPAWNCODE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

namespace cilk2gpu {

/// Returns the id that a begin marker and its end marker have.
inline uint64_t idOf(const llvm::CallBase &marker) {
  return llvm::cast<llvm::ConstantInt>(marker.getArgOperand(0))->getZExtValue();
}

/// Calls `visit` for the instructions from a begin marker to the end marker of a spawn, without the code for unwinding.
void visitSpawn(llvm::CallInst *begin, llvm::function_ref<void(llvm::Instruction &)> visit);

/// Returns the end marker of a spawn, or null.
llvm::CallInst *endOfSpawn(llvm::CallInst *begin);

/// Returns the calls of a spawn that the program wrote, in the order of the code.
llvm::SmallVector<llvm::CallBase *> callsOf(llvm::CallInst *begin);

/// Returns the spawned call among the calls of a spawn: as the callee marker says, or the only one. Else null.
llvm::CallBase *spawnedCall(llvm::ArrayRef<llvm::CallBase *> calls, llvm::CallInst *marker);

/// Returns true if the child only assigns the call's result to the destination.
bool isAssigned(llvm::CallBase &call, llvm::CallInst *begin);

/// Returns true if the call constructs its result in a variable, whose destructor must not run after an exception.
bool constructs(llvm::CallBase &call, llvm::CallInst *begin);

/// Brings the code of a spawn without objects into one block, and returns the call if the spawn calls a pointer.
llvm::CallInst *spawnedPointer(llvm::CallInst *begin, llvm::CallInst *end);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_SPAWNCODE_H
