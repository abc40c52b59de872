// Ordinary functions that lead from tasks to Cilk functions become part of the graph.
#ifndef CILK2GPU_LIB_IMPORT_FORWARDERS_H
#define CILK2GPU_LIB_IMPORT_FORWARDERS_H

#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// Inlines small forwarders into the Cilk functions of `module`, which call them, and gives others a copy that is a
/// Cilk function (kTaskFunctionAttr) and that tasks call and spawn instead. Ordinary code keeps calling the original.
/// Remarks
/// (-Rpass=cilk, -Rpass-missed=cilk) say what became of each call.
void splitForwarders(llvm::Module &module);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_FORWARDERS_H
