// Finds functions that do not keep the addresses they are given.
#ifndef CILK2GPU_LIB_IMPORT_BORROWS_H
#define CILK2GPU_LIB_IMPORT_BORROWS_H

#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// Gives the functions that `extracted` declares, and that `user` defines or LLVM knows, the attribute kBorrowsAttr
/// where it is true. linkBack removes it.
void markBorrows(llvm::Module &extracted, llvm::Module &user);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_BORROWS_H
