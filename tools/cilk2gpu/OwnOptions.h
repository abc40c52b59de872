// The driver's own options: their values, and errors for values that are not allowed. Options.td lists them. Clang's
// table of options does not know them, except --offload-arch, which is the driver's where Clang compiles nothing for
// GPUs itself.
#ifndef CILK2GPU_TOOLS_CILK2GPU_OWNOPTIONS_H
#define CILK2GPU_TOOLS_CILK2GPU_OWNOPTIONS_H

#include "clang/Options/Options.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace cilk2gpu::driver {

/// The driver's own options of one command line.
struct OwnOptions {
  bool serialElision = false;
  bool any = false; ///< at least one was given: the command line has to be rewritten
  std::string dialect;
  std::string emit;
  std::string lanes, vectorIsa, vectorLength;
  std::string vectorLibrary;      ///< -fveclib, which is Clang's, too
  std::vector<std::string> archs; ///< --offload-arch
  bool fallback = false;          ///< -foffload-fallback
  bool persistent = false;        ///< -foffload-persistent
  bool managed = false;           ///< -foffload-managed
  bool combine = true;
  bool inlineEarlyReturns = true;
  bool count = false;       ///< -fcilk-count-instructions
  bool exceptions = true;   ///< -fcilk-exceptions
  bool pedigrees = false;   ///< -fcilk-pedigrees, or OpenCilk's library for it
  bool strandHooks = false; ///< -fcilk-strand-hooks, which tools of the project imply
  bool races = false;       ///< -fsanitize=cilk
  bool scale = false;       ///< -fcilk-scale
  std::string tool;         ///< -fcilktool=cilkscale, which implies -fcilk-scale

  /// Architectures that images are made for.
  std::vector<std::string> gpus() const;
  /// Returns whether --emit is about a GPU's code.
  bool emitsDevice() const;
  /// Returns whether the emitter prints the stage, and not Clang.
  bool emitsInProcess() const;
  /// Returns whether a folder with a HIP program takes the place of the linked one.
  bool emitsHip() const { return emit == "hip"; }
};

/// Returns whether a source is in a language in which Clang compiles for GPUs: --offload-arch is Clang's own then.
bool hasGpuSource(const llvm::opt::InputArgList &args);

/// Takes `argument` if it is the driver's own. Returns false if it is not. A missing or wrong value is an error.
llvm::Expected<bool> takeOwn(llvm::StringRef argument, OwnOptions &own);

/// Returns an error if the word is no option, and has nearly the name of one of the driver's options.
llvm::Error checkSpelling(const llvm::opt::Arg &arg);

/// Returns the sanitizers that a -fsanitize= or -fno-sanitize= names, without the project's own.
std::string otherSanitizers(const llvm::opt::Arg &arg);

/// Takes the project's own sanitizer from a -fsanitize= or -fno-sanitize=. Returns an error if a name is nearly its
/// name.
llvm::Error takeSanitizer(const llvm::opt::Arg &arg, OwnOptions &own);

/// Returns whether an option links OpenCilk's library of pedigrees. It stands for -fcilk-pedigrees.
bool linksPedigrees(const llvm::opt::Arg &arg);

/// Takes an --offload-arch. An architecture without images is an error.
llvm::Error takeArch(const llvm::opt::Arg &arg, OwnOptions &own);

} // namespace cilk2gpu::driver

#endif // CILK2GPU_TOOLS_CILK2GPU_OWNOPTIONS_H
