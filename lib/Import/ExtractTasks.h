// Copies the Cilk functions of a translation unit to a module of their own.
#ifndef CILK2GPU_LIB_IMPORT_EXTRACTTASKS_H
#define CILK2GPU_LIB_IMPORT_EXTRACTTASKS_H

#include "llvm/IR/Module.h"

#include <memory>

namespace cilk2gpu {

/// Returns a module with copies of the Cilk functions of `unit`, and declarations of all symbols that they use.
/// ExtractTasksPass has the same result, but copies all other bodies first.
std::unique_ptr<llvm::Module> cloneTasks(llvm::Module &unit);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_EXTRACTTASKS_H
