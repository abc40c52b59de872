// Finds code that a GPU cannot run. The check comes after optimisation, which has removed code that never runs and made
// calls through known pointers direct.
#ifndef CILK2GPU_LIB_TARGET_GPU_DEVICECHECK_H
#define CILK2GPU_LIB_TARGET_GPU_DEVICECHECK_H

#include "cilk2gpu/Target/GPU/DeviceImage.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/InstrTypes.h"

namespace cilk2gpu {

/// Returns a line about an instruction: "file:line:column: kind: text".
std::string describe(const llvm::Instruction &where, llvm::StringRef kind, const llvm::Twine &text,
                     const DeviceTarget &target);

/// Marks calls that may access errno, for messages. Some calls access it because of their format. The format cannot be
/// read later, when addresses are the host's.
void markErrno(llvm::Module &program);

/// Hides printf from LLVM, which would replace it for AMD's GPUs. Remaining calls of printf are refused.
void keepPrintf(llvm::Module &program);

class DeviceCheck {
public:
  DeviceCheck(llvm::Module &program, const DeviceTarget &target) : program(program), target(target) {}

  /// Returns the messages about code that a GPU cannot run, in kernels and in functions that they call by name. A
  /// message has the form "file:line:column: error: text". A call through a pointer is refused if no function of its
  /// type can run on a GPU.
  std::vector<std::string> checkKernels();

  /// Returns true if a GPU can run a function and all functions that it calls by name.
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
  llvm::DenseMap<llvm::Function *, bool> fitAlone; ///< result of isFit for a function without its callees
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_GPU_DEVICECHECK_H
