// Carries out --emit=cilk|channel|graph|graph-json. Compiles a source file in process as Clang would, to LLVM IR with
// spawn and sync markers. Then the lowering prints the requested stage. Graphs, --emit=firmware, and the stages of a
// GPU's code take all source files of a program.
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
  std::string arch; ///< architecture of a GPU; if set, `deviceStage` is printed instead
  DeviceStage deviceStage = DeviceStage::Image;
  bool firmware = false;    ///< write the aggregator's firmware instead
  bool persistent = false;  ///< add a persistent kernel
  std::string runtimes;     ///< folder of the device runtime and of the firmware's core
  std::string output = "-"; ///< file, "-" is the standard output
  FrontendOptions frontend;
  LoweringOptions lowering;
};

/// Compiles source files and writes the stage. Each of `commands` is a Clang command line for one source file, which
/// begins with Clang's path. There is a single one, except for graphs, firmware and GPUs. After an error, prints it to
/// the standard error and leaves the output file unchanged. Returns the exit status. Not thread-safe (one call per
/// process).
int emitStage(const EmitRequest &request, llvm::ArrayRef<std::vector<const char *>> commands);

} // namespace cilk2gpu

#endif // CILK2GPU_TOOLS_CILK2GPU_EMIT_H
