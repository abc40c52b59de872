// Memory that a device shares with the host is laid out as the host has it, also where the device's own data layout
// would place members or elements otherwise.
#ifndef CILK2GPU_LIB_TARGET_GPU_HOSTLAYOUT_H
#define CILK2GPU_LIB_TARGET_GPU_HOSTLAYOUT_H

#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// Spells out, in a program that has the host's data layout, what depends on it and is otherwise in `device`: addresses
/// of members and elements become sums of bytes; locals, variables and copied constants become arrays and structs with
/// all their padding, and a struct is loaded and stored member by member. AMD's targets, for one, align 128-bit
/// integers to 8 bytes.
void keepHostLayout(llvm::Module &program, const llvm::DataLayout &device);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_GPU_HOSTLAYOUT_H
