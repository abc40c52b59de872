// Options of the lowering.
#ifndef CILK2GPU_SUPPORT_LOWERINGOPTIONS_H
#define CILK2GPU_SUPPORT_LOWERINGOPTIONS_H

#include "cilk2gpu/Support/VectorIsa.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>

namespace llvm {
class PassInstrumentationCallbacks;
} // namespace llvm

namespace cilk2gpu {

/// Environment variable that passes the words of parseLoweringWord, with commas between them, from the driver to the
/// pass plugin. It serves where the plugin's own arguments do not reach the plugin.
inline constexpr char kLoweringVariable[] = "CILK2GPU_LOWERING";

/// How a kernel runs its lanes.
enum class Lanes {
  Auto,  ///< in vectors if that is possible and expected to pay
  Simd,  ///< in vectors if that is possible
  Scalar ///< one after the other
};

/// A program in MLIR: the text of a source file.
struct MlirSource {
  std::string name; ///< file name as the user gave it; messages begin with it
  std::string text;
};

struct LoweringOptions {
  Lanes lanes = Lanes::Auto;
  /// Instruction sets for which kernels are vectorised. By default, the sets that suit the compilation's target.
  std::optional<llvm::SmallVector<VectorIsa, 2>> isas;
  unsigned vectorLength = 0;                ///< lanes of a vector: 4, 8, 16, 32 or 64; 0: chosen for each kernel
  std::optional<std::string> vectorLibrary; ///< name as for -fveclib=; by default the system's library
  bool combine = true;                      ///< fold results into accumulators (cilk-combine-results)
  bool inlineEarlyReturns =
      true;                   ///< let parents do the work of children that return at once (cilk-inline-early-returns)
  bool device = false;        ///< make the kernels' device forms, too
  bool count = false;         ///< make functions report what they execute (cilk2gpu/abi/Counts.h)
  bool countWork = false;     ///< count the instructions of the serial elision, for cilk-scale
  bool outline = false;       ///< put a description of the graph in words into the device module
  bool strandHooks = false;   ///< make an instrumented elision (cilk2gpu/abi/StrandHooks.h) instead of a graph
  bool races = false;         ///< with strandHooks: leave hooks at accesses, too (cilk2gpu/abi/RaceHooks.h)
  bool pedigrees = false;     ///< strands know their pedigrees (-fcilk-pedigrees)
  bool elides = false;        ///< with pedigrees: make the serial elision instead of a graph
  bool executable = false;    ///< the module is for a program: no library replaces its functions
  bool exceptions = true;     ///< exceptions may leave tasks (-fcilk-exceptions)
  bool throws = false;        ///< the unit is C++ with exceptions
  bool byLevel = false;       ///< `lanes` is Scalar only because of the optimisation level
  bool keepVariables = true;  ///< keep the variables of code without optimisation for debuggers
  bool dropLocations = false; ///< debug information only serves the lowering's messages
  /// The program, if it is in MLIR. Clang's module then contains only kProgramTemplate (cilk2gpu/Support/Markers.h).
  std::shared_ptr<const MlirSource> source;
  /// If not null, these callbacks see every pass on LLVM IR that the lowering runs. They print IR before and after
  /// passes.
  llvm::PassInstrumentationCallbacks *callbacks = nullptr;
};

/// Returns true if exceptions may leave tasks. Kernels for GPUs and instrumented elisions have no code for this.
inline bool throwsFromTasks(const LoweringOptions &options) {
  return options.exceptions && !options.device && !options.strandHooks && !options.elides;
}

/// Parses one word of the plugin's and the printers' arguments: lanes=auto|simd|scalar, vector-isa=auto|none|ISA+ISA..,
/// vector-length=N, veclib=NAME, no-combine, no-inline, device, count, count-work, outline, no-exceptions, strand-
/// hooks, races, pedigrees, executable. Returns false if it is no such word.
bool parseLoweringWord(llvm::StringRef word, LoweringOptions &options);

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_LOWERINGOPTIONS_H
