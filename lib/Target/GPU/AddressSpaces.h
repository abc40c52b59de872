// The program's own address spaces (__attribute__((address_space(n)))), in device modules.
#ifndef CILK2GPU_LIB_TARGET_GPU_ADDRESSSPACES_H
#define CILK2GPU_LIB_TARGET_GPU_ADDRESSSPACES_H

#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// From here on a number means something to the host, such as a segment: devices have none of these.
inline constexpr unsigned kFirstHostSpace = 256;

/// Makes pointers of those with smaller numbers, which mean nothing to the host, generic ones: to a device, 3 would be
/// the memory of a block.
void dropAddressSpaces(llvm::Module &device);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_GPU_ADDRESSSPACES_H
