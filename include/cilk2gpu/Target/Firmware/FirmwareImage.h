// Firmware for the aggregator of one program. It is the scheduler core, compiled for riscv64 when cilk2gpu was built,
// linked with the program's graph descriptors. These become data of that processor.
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
/// refers to. Kernels become numbers that are not zero: the machine knows their addresses. Returns false if the unit
/// has no Cilk function.
bool keepGraph(llvm::Module &unit);

/// Builds the image of a program from its units' graphs, which it takes. `runtimes` is the folder of the core's object.
llvm::Expected<std::string> buildFirmware(std::vector<std::unique_ptr<llvm::Module>> units, llvm::StringRef runtimes);

} // namespace cilk2gpu

#endif // CILK2GPU_TARGET_FIRMWARE_FIRMWAREIMAGE_H
