// Finds pointers that iterations of a cilk_for share and that lead to different objects.
#ifndef CILK2GPU_LIB_IMPORT_DISTINCTCAPTURES_H
#define CILK2GPU_LIB_IMPORT_DISTINCTCAPTURES_H

#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// Marks loads and stores of the iterations (alias scopes) whose addresses are computed from captured pointers, where
/// the function around the loop shows that those lead to different objects: two results of malloc, say. `extracted` is
/// in SSA form; loops are range tasks.
void markDistinctCaptures(llvm::Module &extracted);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_DISTINCTCAPTURES_H
