// Builds firmware for the aggregator of one program. The firmware consists of the scheduler core, compiled for riscv64
// when cilk2gpu was built, and of the program's graph descriptors as data.
//
// Nothing here is thread-safe: LLVM's targets are initialised once, and lld runs in process.
#ifndef CILK2GPU_TARGET_FIRMWARE_FIRMWAREIMAGE_H
#define CILK2GPU_TARGET_FIRMWARE_FIRMWAREIMAGE_H

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace cilk2gpu {

/// Reduces a unit whose Cilk functions have been lowered to its graph descriptor and the values that the descriptor
/// refers to. Kernels become numbers that are not zero, because only the machine knows their addresses. Returns false
/// if the unit has no Cilk function.
bool keepGraph(llvm::Module &unit);

/// Builds a program's image from its units' graphs, of which it takes ownership. `runtimes` is the folder that contains
/// the object file of the scheduler core.
llvm::Expected<std::string> buildFirmware(std::vector<std::unique_ptr<llvm::Module>> units, llvm::StringRef runtimes);

} // namespace cilk2gpu

#endif // CILK2GPU_TARGET_FIRMWARE_FIRMWAREIMAGE_H
