// A command line as the driver reads it: a scan that finds the inputs, the driver's options and whether Clang links,
// and the words that are made of them.
#ifndef CILK2GPU_TOOLS_CILK2GPU_COMMANDLINE_H
#define CILK2GPU_TOOLS_CILK2GPU_COMMANDLINE_H

#include "OwnOptions.h"

namespace cilk2gpu::driver {

/// Result of a scan of the command line.
struct Scan {
  OwnOptions own;
  std::vector<std::string> inputs; ///< source, object and archive files, not -l and the like
  bool hasInput = false;           ///< files or options that Clang counts as the linker's inputs
  bool hasLinkable = false;        ///< an input that goes as far as the linker if no option stops it
  bool hasCilkFile = false;        ///< a .cilk input whose language is not given by -x
  std::string mlirFile;            ///< an .mlir input whose language is not given by -x
  bool isProgram = false; ///< a program is linked, where -fsemantic-interposition asks whose functions are taken
};

bool isCilkFile(llvm::StringRef file);
bool isMlirFile(llvm::StringRef file);
bool isLinkerFile(llvm::StringRef file);

/// Reads all arguments once.
llvm::Expected<Scan> scan(const llvm::opt::InputArgList &args);

/// Returns whether no option stops Clang before the linker.
bool reachesLinker(const llvm::opt::InputArgList &args);

/// Refuses a file named like an option behind `--`. The driver's additions cannot follow `--`, so a command line that
/// it changes is written without it.
llvm::Error checkDashDash(const llvm::opt::InputArgList &args);

/// Returns the words that the lowering is told (cilk2gpu::parseLoweringWord).
std::vector<std::string> loweringWords(const Scan &found);

/// Returns the arguments for the plugin, as words after `-plugin-arg-cilk2gpu`.
std::vector<std::string> pluginArguments(const Scan &found);

/// The form of a copy of the command line.
struct CopyOptions {
  bool inProcess = false; ///< for the emitter: without options that choose the outputs of an ordinary compilation
  bool cxx = false;       ///< clang++ compiles
  llvm::StringRef only;   ///< of several inputs, the input to copy; empty: all of them
};

/// Copies a parsed command line without the driver's own options, and gives .cilk files their language. `--` is dropped
/// (see checkDashDash).
std::vector<std::string> copyForClang(const llvm::opt::InputArgList &args, const CopyOptions &options);

inline void append(std::vector<std::string> &to, llvm::ArrayRef<std::string> from) {
  to.insert(to.end(), from.begin(), from.end());
}

} // namespace cilk2gpu::driver

#endif // CILK2GPU_TOOLS_CILK2GPU_COMMANDLINE_H
