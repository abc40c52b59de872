// Command lines with --emit: the emitter's, for stages that it prints in process, Clang's words for the other stages,
// and the conditions of --emit=hip.
#ifndef CILK2GPU_TOOLS_CILK2GPU_EMITCOMMAND_H
#define CILK2GPU_TOOLS_CILK2GPU_EMITCOMMAND_H

#include "CommandLine.h"
#include "Options.h"

namespace cilk2gpu::driver {

/// Checks the conditions of --emit=hip.
llvm::Error checkHip(const llvm::opt::InputArgList &args, const Scan &found);

/// Returns the command line of the emitter: its own options, then a `--` and Clang's for each file.
llvm::Expected<Command> emitCommand(const llvm::opt::InputArgList &args, const Scan &found, bool cxx,
                                    const Installation &installation);

/// Returns --emit=llvm and --emit=asm in Clang's words; nothing for other stages.
std::vector<std::string> emitOptions(llvm::StringRef emit, const llvm::opt::InputArgList &args);

} // namespace cilk2gpu::driver

#endif // CILK2GPU_TOOLS_CILK2GPU_EMITCOMMAND_H
