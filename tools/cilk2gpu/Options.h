// Translates the driver's command line into Clang's. cilk2gpu *is* clang with a few more options. The translation
// removes these options. It adds the compiler plugin, the include folder of <cilk/cilk.h> and, if Clang links, the
// runtime. All other words stay unchanged and in order. The only access to the file system is to read response files.
//
// Thread-safety: the functions have no state.
#ifndef CILK2GPU_TOOLS_CILK2GPU_OPTIONS_H
#define CILK2GPU_TOOLS_CILK2GPU_OPTIONS_H

#include "LinkNotes.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace cilk2gpu::driver {

/// Absolute paths of the parts that the driver passes to Clang.
struct Installation {
  std::string plugin;   ///< Cilk2GPU.so
  std::string runtime;  ///< libcilk2gpu_rt.a
  std::string includes; ///< folder that holds cilk/cilk.h and nothing else
  std::string emitter;  ///< cilk2gpu-emit, which prints the stages of --emit in process
  std::string devices;  ///< folder of the device runtime's bitcode
  std::string linker;   ///< cilk2gpu-ld, which builds device images and runs the real linker
  std::string races;    ///< libcilk2gpu_races.a, for programs with -fsanitize=cilk
  std::string scale;    ///< libcilk2gpu_scale.a, for programs with -fcilk-scale
  std::string managed;  ///< libcilk2gpu_managed.a, for programs with -foffload-managed
};

/// The action that a command line requests.
struct Command {
  enum class Action {
    Help,     ///< print the driver's help
    Manual,   ///< print the driver's manual page
    Clangd,   ///< print a configuration of clangd
    Complete, ///< print the driver's completions of `word`, then run Clang with `arguments` if Clang may have more
    Version,  ///< print the driver's version, then run Clang with `arguments`
    Clang,    ///< run Clang with `arguments`
    Emit,     ///< run the emitter with `arguments`
  };
  Action action = Action::Clang;
  std::vector<std::string> arguments; ///< arguments without the program's name
  std::string word;                   ///< of Action::Complete
  std::string lowering;               ///< value of kLoweringVariable for Clang; empty: not set
  Link link;                          ///< for notes if Clang's linker fails; without object files: none
};

/// Translates `arguments` (without the program's name). `cxx` selects clang++'s behaviour. An error means wrong use of
/// one of the driver's own options. Errors in Clang's options are left for Clang to report.
llvm::Expected<Command> translate(llvm::ArrayRef<const char *> arguments, bool cxx, const Installation &installation);

/// Prints the text of --print-clangd-config.
void printClangdConfig(llvm::raw_ostream &os, const Installation &installation);

} // namespace cilk2gpu::driver

#endif // CILK2GPU_TOOLS_CILK2GPU_OPTIONS_H
