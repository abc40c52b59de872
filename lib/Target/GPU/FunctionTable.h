// Calls through pointers on a GPU. A pointer holds the host's address of a function. A table in the image maps this
// address to the device's version, for each function that the program points at. A call of a function that is not in
// the table ends the program. The kernel of hand-written graphs asks first whether a function is in it (GraphKernel.h).
#ifndef CILK2GPU_LIB_TARGET_GPU_FUNCTIONTABLE_H
#define CILK2GPU_LIB_TARGET_GPU_FUNCTIONTABLE_H

#include "Retarget.h"

namespace cilk2gpu {

/// Function of the device runtime that gets an address, the table, and its size. It returns null if the function is
/// not in the table.
inline constexpr char kFindFunction[] = "__cilk2gpu_device_find";

class FunctionTable {
public:
  /// Removes the lists of functions from `program`. Optimisation keeps these functions only if kernels may call through
  /// pointers.
  explicit FunctionTable(llvm::Module &program);

  /// Drops stand-ins (kPointedAtAttr) of types for which no call through a pointer is left. Runs on simplified code.
  void dropUncalled();

  /// Replaces calls by name of functions that only the host has by calls of their stand-ins. Runs after optimisation.
  void nameKnown();

  /// Makes each call through a pointer look up its function in the table. Functions for which `isFit` returns false are
  /// not in the table. Runs after optimisation, and before placeAddresses replaces the functions' addresses.
  void lowerCalls(llvm::function_ref<bool(llvm::Function &)> isFit);

private:
  void keep(llvm::SmallVectorImpl<llvm::GlobalValue *> &functions);
  void drop(llvm::function_ref<bool(const llvm::Function &)> isCalled);
  llvm::GlobalVariable *create(llvm::function_ref<bool(llvm::Function &)> isFit, uint32_t &count);

  llvm::Module &program;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_GPU_FUNCTIONTABLE_H
