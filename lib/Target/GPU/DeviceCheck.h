// What a GPU cannot do, found in optimised code: what never runs is gone by then, and calls through pointers that
// turned out to be known are direct.
#ifndef CILK2GPU_LIB_TARGET_GPU_DEVICECHECK_H
#define CILK2GPU_LIB_TARGET_GPU_DEVICECHECK_H

#include "cilk2gpu/Target/GPU/DeviceImage.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/InstrTypes.h"

namespace cilk2gpu {

/// A line about an instruction: "file:line:column: kind: text".
std::string describe(const llvm::Instruction &where, llvm::StringRef kind, const llvm::Twine &text,
                     const DeviceTarget &target);

/// Marks calls that look at errno, for messages: some do by their format, which is not seen any more when addresses are
/// the host's.
void markErrno(llvm::Module &program);

/// Keeps calls of printf that stay, to be refused, what they are.
void keepPrintf(llvm::Module &program);

class DeviceCheck {
public:
  DeviceCheck(llvm::Module &program, const DeviceTarget &target) : program(program), target(target) {}

  /// What kernels, and what they call by name, do that a GPU cannot: one message of the form "file:line:column: error:
  /// text" for each. A call through a pointer is such a thing if no function of its type may be what the pointer leads
  /// to.
  std::vector<std::string> checkKernels();

  /// Whether a GPU can run a function and all that it calls by name.
  bool isFit(llvm::Function &function);

private:
  using Report = llvm::function_ref<void(const llvm::Instruction &where, const llvm::Twine &text)>;

  void check(llvm::Instruction &inst, Report report);
  void checkCall(llvm::CallBase &call, Report report);
  bool mayRecurse(llvm::CallBase &call);
  void checkPointer(llvm::CallBase &call, Report report);
  bool isFitAlone(llvm::Function &function);

  llvm::Module &program;
  const DeviceTarget &target;
  llvm::DenseMap<llvm::Function *, bool> fitAlone; ///< whatever they call
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_GPU_DEVICECHECK_H
