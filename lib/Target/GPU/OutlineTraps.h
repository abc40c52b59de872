// Traps of AMD's functions.
//
// On gfx110x, LLVM makes a sequence of instructions of a trap, because the hardware may ignore the instruction. If all
// lanes take the branch to the trap's block, pseudo instructions of later blocks stay, and the compiler ends with
// "Unsupported instruction" (seen with LLVM 22.1.8). So only a function of its own has a trap, and no other block.
#ifndef CILK2GPU_LIB_TARGET_GPU_OUTLINETRAPS_H
#define CILK2GPU_LIB_TARGET_GPU_OUTLINETRAPS_H

namespace llvm {
class Module;
}

namespace cilk2gpu {

/// Replaces traps with calls of a function that has one. Must run after optimisation.
void outlineTraps(llvm::Module &program);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_GPU_OUTLINETRAPS_H
