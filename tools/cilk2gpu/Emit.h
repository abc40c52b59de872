// Carries out --emit=cilk|channel|graph|graph-json. Compiles one source file in process as Clang would, as far as LLVM
// IR with spawn and sync markers. Then the compiler's pipeline prints the wanted stage. --emit=firmware, and the stages
// of a GPU's code, take all source files of a program.
#ifndef CILK2GPU_TOOLS_CILK2GPU_EMIT_H
#define CILK2GPU_TOOLS_CILK2GPU_EMIT_H

#include "cilk2gpu/Frontend/Frontend.h"
#include "cilk2gpu/Pipeline/LowerCilk.h"
#include "cilk2gpu/Target/GPU/DeviceImage.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace cilk2gpu {

/// One run of the emitter.
struct EmitRequest {
  Stage stage = Stage::Cilk;
  std::string arch; ///< of a GPU: `deviceStage` is printed instead
  DeviceStage deviceStage = DeviceStage::Image;
  bool firmware = false;    ///< the aggregator's firmware is written instead
  bool persistent = false;  ///< with a persistent kernel
  std::string runtimes;     ///< folder of the device runtime and of the firmware's core
  std::string output = "-"; ///< file, "-" is the standard output
  FrontendOptions frontend;
  LoweringOptions lowering;
};

/// Compiles the source file that each of `commands`, Clang command lines with Clang's path in front, names, and writes
/// the stage. There is one, but for firmware and GPUs. Errors are printed to the standard error and leave the output
/// file as it was. Returns the exit status. Not thread-safe (one per process).
int emitStage(const EmitRequest &request, llvm::ArrayRef<std::vector<const char *>> commands);

} // namespace cilk2gpu

#endif // CILK2GPU_TOOLS_CILK2GPU_EMIT_H
