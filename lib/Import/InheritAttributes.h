// Attributes for code generation of functions that are made from a user's function.
#ifndef CILK2GPU_LIB_IMPORT_INHERITATTRIBUTES_H
#define CILK2GPU_LIB_IMPORT_INHERITATTRIBUTES_H

#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// Gives the functions of `module` the attributes (target, features, sanitizers, frame pointers) of the function of
/// `unit` that each was made from (kOriginAttr). `fallback`: the one for functions that are made from none.
void inheritAttributes(llvm::Module &module, llvm::Module &unit, const llvm::Function &fallback);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_INHERITATTRIBUTES_H
