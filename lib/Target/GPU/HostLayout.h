// Keeps the host's layout of memory that a device shares with the host. The device's own data layout may place members
// or elements at other offsets.
#ifndef CILK2GPU_LIB_TARGET_GPU_HOSTLAYOUT_H
#define CILK2GPU_LIB_TARGET_GPU_HOSTLAYOUT_H

#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// Changes a program with the host's data layout so that it does not depend on the layout where `device` differs:
/// - addresses of members and elements become sums of bytes;
/// - locals, variables and copied constants become arrays and structs with all their padding;
/// - a struct is loaded and stored member by member.
///
/// For example, AMD's targets align 128-bit integers to 8 bytes.
void keepHostLayout(llvm::Module &program, const llvm::DataLayout &device);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_GPU_HOSTLAYOUT_H
