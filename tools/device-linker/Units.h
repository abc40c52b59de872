// The device modules of a link's objects.
#ifndef CILK2GPU_TOOLS_DEVICELINKER_UNITS_H
#define CILK2GPU_TOOLS_DEVICELINKER_UNITS_H

#include "Inputs.h"
#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// Reads them, fresh: building takes them. Where several objects define a name, only the definition is left that the
/// linker takes.
llvm::Expected<std::vector<std::unique_ptr<llvm::Module>>> readUnits(const LinkInputs &inputs, llvm::LLVMContext &context);

} // namespace cilk2gpu

#endif // CILK2GPU_TOOLS_DEVICELINKER_UNITS_H
