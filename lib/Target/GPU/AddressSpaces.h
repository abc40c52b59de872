// Address spaces of the program (__attribute__((address_space(n)))), in device modules.
#ifndef CILK2GPU_LIB_TARGET_GPU_ADDRESSSPACES_H
#define CILK2GPU_LIB_TARGET_GPU_ADDRESSSPACES_H

#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// Smallest number of an address space that has a meaning on the host, such as a segment. Devices lack these address
/// spaces.
inline constexpr unsigned kFirstHostSpace = 256;

/// Makes pointers into address spaces with smaller numbers generic. These numbers have no meaning on the host, but on a
/// device, number 3 would be the memory of a block.
void dropAddressSpaces(llvm::Module &device);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_GPU_ADDRESSSPACES_H
