// What a user can ask of the lowering.
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

/// Environment variable by which the driver tells the pass plugin the words of parseLoweringWord, with commas between
/// them, where the plugin's own arguments do not reach it.
inline constexpr char kLoweringVariable[] = "CILK2GPU_LOWERING";

/// How a kernel runs its lanes.
enum class Lanes {
  Auto,  ///< in vectors where that is possible and expected to pay
  Simd,  ///< in vectors wherever that is possible
  Scalar ///< one after the other
};

/// A source file in MLIR.
struct MlirSource {
  std::string name; ///< as it was given; messages begin with it
  std::string text;
};

struct LoweringOptions {
  Lanes lanes = Lanes::Auto;
  /// What kernels are vectorised for; by default what suits the compilation's own target.
  std::optional<llvm::SmallVector<VectorIsa, 2>> isas;
  unsigned vectorLength = 0;                ///< lanes of a vector: 4, 8, 16, 32 or 64; 0: chosen for each kernel
  std::optional<std::string> vectorLibrary; ///< what -fveclib= names; by default the one that the system has
  bool combine = true;                      ///< fold results into accumulators (cilk-combine-results)
  bool inlineEarlyReturns =
      true;                   ///< run children that return at once where they are spawned (cilk-inline-early-returns)
  bool device = false;        ///< make the kernels' device forms, too
  bool count = false;         ///< make functions report what they execute (cilk2gpu/abi/Counts.h)
  bool outline = false;       ///< the device module says in words what the graph is
  bool executable = false;    ///< what the module defines is a program's own: no library's takes its place
  bool byLevel = false;       ///< `lanes` is Scalar because of the level of optimisation alone
  bool dropLocations = false; ///< nobody asked for debug information: it is there for the lowering's own messages
  /// The program, if it is in MLIR. The module that Clang made is then of kProgramTemplate (cilk2gpu/Support/Markers.h) alone.
  std::shared_ptr<const MlirSource> source;
  /// See every pass on LLVM IR that the lowering runs, if not null: they print IR before and after passes.
  llvm::PassInstrumentationCallbacks *callbacks = nullptr;
};

/// Takes one word of the plugin's and the printers' arguments: lanes=auto|simd|scalar, vector-isa=auto|none|ISA+ISA..,
/// vector-length=N, veclib=NAME, no-combine, no-inline, device, count, outline, executable.
/// Returns false if it is none of these.
bool parseLoweringWord(llvm::StringRef word, LoweringOptions &options);

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_LOWERINGOPTIONS_H
