// Which functions may look up views of reducers. See Reducers.cpp.
#ifndef CILK2GPU_LIB_IMPORT_REDUCERFUNCTIONS_H
#define CILK2GPU_LIB_IMPORT_REDUCERFUNCTIONS_H

#include "KnownLibraries.h"

namespace cilk2gpu {

/// Returns true for a function of the runtime that reducers call.
bool isReducerFunction(llvm::StringRef name);

/// Returns true if the instruction may look up a view itself.
bool mayLookUp(const llvm::Instruction &inst, const KnownLibraries &library);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_REDUCERFUNCTIONS_H
