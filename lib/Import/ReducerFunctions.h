// Which functions may look up views of reducers. See Reducers.cpp.
#ifndef CILK2GPU_LIB_IMPORT_REDUCERFUNCTIONS_H
#define CILK2GPU_LIB_IMPORT_REDUCERFUNCTIONS_H

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Instruction.h"

namespace cilk2gpu {

/// The libraries whose functions call no code of the program.
struct KnownLibraries {
  llvm::TargetLibraryInfoImpl c;
  bool hasCxx; ///< the C++ library, too
};

/// Returns true for a function of the runtime that reducers call.
bool isReducerFunction(llvm::StringRef name);

/// Returns true if a function without a body calls no code of the program.
bool isHarmless(const llvm::Function &function, const KnownLibraries &library);

/// Returns true if the instruction may look up a view itself.
bool mayLookUp(const llvm::Instruction &inst, const KnownLibraries &library);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_REDUCERFUNCTIONS_H
