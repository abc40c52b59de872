// Annotations of functions and variables: texts that attributes in the source attach to them, as Clang lists them in a
// module.
#ifndef CILK2GPU_SUPPORT_ANNOTATIONS_H
#define CILK2GPU_SUPPORT_ANNOTATIONS_H

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// Calls use(value, text) for each annotation of a value of type Annotated: a function, or a variable.
template <typename Annotated = llvm::Function, typename Use>
void forEachAnnotation(const llvm::Module &module, Use use) {
  const llvm::GlobalVariable *list = module.getNamedGlobal("llvm.global.annotations");
  auto *entries =
      list && list->hasInitializer() ? llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer()) : nullptr;
  for (unsigned i = 0; entries && i < entries->getNumOperands(); ++i) {
    auto *entry = llvm::dyn_cast<llvm::ConstantStruct>(entries->getOperand(i));
    auto *value = entry ? llvm::dyn_cast<Annotated>(entry->getOperand(0)->stripPointerCasts()) : nullptr;
    llvm::StringRef text;
    if (value && llvm::getConstantStringInfo(entry->getOperand(1), text))
      use(*value, text);
  }
}

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_ANNOTATIONS_H
