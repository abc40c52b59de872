// The functions of libraries that call no code of the program.
#ifndef CILK2GPU_LIB_IMPORT_KNOWNLIBRARIES_H
#define CILK2GPU_LIB_IMPORT_KNOWNLIBRARIES_H

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Function.h"

namespace cilk2gpu {

/// The libraries whose functions call no code of the program.
struct KnownLibraries {
  llvm::TargetLibraryInfoImpl c;
  bool hasCxx; ///< the C++ library, too
};

/// Returns true if a function without a body calls no code of the program.
bool isHarmless(const llvm::Function &function, const KnownLibraries &library);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_KNOWNLIBRARIES_H
