// Takes the Cilk functions out of a translation unit.
#ifndef CILK2GPU_LIB_IMPORT_EXTRACTTASKS_H
#define CILK2GPU_LIB_IMPORT_EXTRACTTASKS_H

#include "llvm/IR/Module.h"

#include <memory>

namespace cilk2gpu {

/// A module with copies of the Cilk functions of `unit`, and declarations of all that they use. It is what
/// ExtractTasksPass makes of a module, without a copy of the other functions' bodies.
std::unique_ptr<llvm::Module> cloneTasks(llvm::Module &unit);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_EXTRACTTASKS_H
