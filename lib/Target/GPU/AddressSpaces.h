// Address spaces of the program (__attribute__((address_space(n)))), in device modules.
#ifndef CILK2GPU_LIB_TARGET_GPU_ADDRESSSPACES_H
#define CILK2GPU_LIB_TARGET_GPU_ADDRESSSPACES_H

#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// Smallest number that means something to the host, such as a segment. Devices have no such address spaces.
inline constexpr unsigned kFirstHostSpace = 256;

/// Makes pointers with smaller numbers generic. These numbers mean nothing to the host, but 3 would be the memory of a
/// block to a device.
void dropAddressSpaces(llvm::Module &device);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_GPU_ADDRESSSPACES_H
