// Gives functions that are made from a user's function its attributes for code generation.
#ifndef CILK2GPU_LIB_IMPORT_INHERITATTRIBUTES_H
#define CILK2GPU_LIB_IMPORT_INHERITATTRIBUTES_H

#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// Gives the functions of `module` the attributes (target, features, sanitizers, frame pointers) of the function of
/// `unit` from which each was made (kOriginAttr). Functions that were made from no function get the attributes of
/// `fallback`.
void inheritAttributes(llvm::Module &module, llvm::Module &unit, const llvm::Function &fallback);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_INHERITATTRIBUTES_H
