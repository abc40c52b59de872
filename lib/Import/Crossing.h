// What LLVM IR says and MLIR has no words for: said in another way before a module goes into MLIR, and as it was when
// it has come out.
#ifndef CILK2GPU_LIB_IMPORT_CROSSING_H
#define CILK2GPU_LIB_IMPORT_CROSSING_H

#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// Changes what MLIR's import would take for something else.
void prepareImport(llvm::Module &module);

/// Says again what the way through MLIR has lost; `original` is the program's module.
void finishExport(llvm::Module &translated, llvm::Module &original);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_CROSSING_H
