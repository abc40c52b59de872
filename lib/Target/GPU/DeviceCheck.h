// Finds code that a GPU cannot run. The check comes after optimisation: code that never runs is gone by then, and calls
// through known pointers are direct.
#ifndef CILK2GPU_LIB_TARGET_GPU_DEVICECHECK_H
#define CILK2GPU_LIB_TARGET_GPU_DEVICECHECK_H

#include "cilk2gpu/Target/GPU/DeviceImage.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/InstrTypes.h"

namespace cilk2gpu {

/// Returns a line about an instruction: "file:line:column: kind: text".
std::string describe(const llvm::Instruction &where, llvm::StringRef kind, const llvm::Twine &text,
                     const DeviceTarget &target);

/// Marks calls that look at errno, for messages. Some calls look at it because of their format, which cannot be read
/// any more once addresses are the host's.
void markErrno(llvm::Module &program);

/// Hides printf from LLVM, which would replace it for AMD's GPUs. A call of it that stays is refused.
void keepPrintf(llvm::Module &program);

class DeviceCheck {
public:
  DeviceCheck(llvm::Module &program, const DeviceTarget &target) : program(program), target(target) {}

  /// Returns one message for each thing that kernels, and functions they call by name, do and a GPU cannot do. A
  /// message has the form "file:line:column: error: text". A call through a pointer is refused if no function of its
  /// type can run on a GPU.
  std::vector<std::string> checkKernels();

  /// Returns whether a GPU can run a function and all functions that it calls by name.
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
  llvm::DenseMap<llvm::Function *, bool> fitAlone; ///< without the functions that they call
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_GPU_DEVICECHECK_H
