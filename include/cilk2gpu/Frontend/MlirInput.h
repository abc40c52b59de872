// A main file in MLIR. Clang does not know that language. It compiles a small C file instead, with all options of the
// command line for targets and code generation. The lowering then puts the program in the place of the C file.
#ifndef CILK2GPU_FRONTEND_MLIRINPUT_H
#define CILK2GPU_FRONTEND_MLIRINPUT_H

#include "cilk2gpu/Support/LoweringOptions.h"

namespace clang {
class CompilerInstance;
} // namespace clang

namespace cilk2gpu {

/// Returns true if the main file is named *.mlir and so is in MLIR.
bool hasMlirExtension(const clang::CompilerInstance &CI);

/// Returns the text of the main file, which must not be entered yet, and makes `CI` compile the C file. After an error,
/// reports it and returns null.
std::shared_ptr<const MlirSource> takeMlirInput(clang::CompilerInstance &CI);

} // namespace cilk2gpu

#endif // CILK2GPU_FRONTEND_MLIRINPUT_H
