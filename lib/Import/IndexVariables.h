// The index variables of <cilk2gpu/Wireframe.h>, blockIdx and the like, as a module has them.
#ifndef CILK2GPU_LIB_IMPORT_INDEXVARIABLES_H
#define CILK2GPU_LIB_IMPORT_INDEXVARIABLES_H

#include "cilk2gpu/Support/Markers.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// An index variable of the header, and the marker that stands for one of its three numbers.
struct IndexVariable {
  llvm::StringLiteral name;
  const char *marker;
};

inline constexpr IndexVariable kIndexVariables[] = {{"blockIdx", kBlockIdMarker},
                                                    {"threadIdx", kThreadIdMarker},
                                                    {"gridDim", kGridDimMarker},
                                                    {"blockDim", kBlockDimMarker}};

/// Returns the variable; null if the module does not have it.
inline const llvm::GlobalVariable *findVariable(const llvm::Module &module, const IndexVariable &index) {
  const llvm::GlobalVariable *variable = module.getNamedGlobal(index.name);
  return variable && variable->isThreadLocal() ? variable : nullptr;
}

/// Returns the instructions of `function` that get the address of a thread's variable.
inline llvm::SmallVector<llvm::IntrinsicInst *> addressesOf(const llvm::GlobalVariable *variable,
                                                            llvm::Function &function) {
  llvm::SmallVector<llvm::IntrinsicInst *> addresses;
  for (llvm::Instruction &inst : llvm::instructions(function))
    if (auto *address = llvm::dyn_cast<llvm::IntrinsicInst>(&inst);
        variable && address && address->getIntrinsicID() == llvm::Intrinsic::threadlocal_address &&
        address->getArgOperand(0) == variable)
      addresses.push_back(address);
  return addresses;
}

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_INDEXVARIABLES_H
