// Calls through pointers on a GPU. Pointers are the host's addresses; a table in the image leads from them to the
// device's version of each function that the program points at. What the table does not have ends the program when it
// is called.
#ifndef CILK2GPU_LIB_TARGET_GPU_FUNCTIONTABLE_H
#define CILK2GPU_LIB_TARGET_GPU_FUNCTIONTABLE_H

#include "Retarget.h"

namespace cilk2gpu {

class FunctionTable {
public:
  /// Takes the lists of functions out of `program`. They are kept through optimisation only if kernels may call through
  /// pointers.
  explicit FunctionTable(llvm::Module &program);

  /// In simplified code: drops what stands for others (kPointedAtAttr) and is of no type that is called through a
  /// pointer any more.
  void dropUncalled();

  /// After optimisation: calls by name of what something stands for, and which only the host has, become calls of that.
  void nameKnown();

  /// After optimisation: calls through pointers become calls of what the table says. Functions for which `isFit` says
  /// no are left out. Their addresses must still be theirs (placeVariables comes later).
  void lowerCalls(llvm::function_ref<bool(llvm::Function &)> isFit);

private:
  void drop(llvm::function_ref<bool(const llvm::Function &)> isCalled);
  llvm::GlobalVariable *create(llvm::function_ref<bool(llvm::Function &)> isFit, uint32_t &count);

  llvm::Module &program;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_GPU_FUNCTIONTABLE_H
