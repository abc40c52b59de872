// Calls of functions that only the host has, from tasks on a GPU. The host makes these calls in the thread that waits
// for the launch (cilk2gpu/abi/Requests.h). Memory has one address on both sides, so the function reads and writes the
// program's own memory. A local that the function may see moves from the lane's own memory to the host's.
#ifndef CILK2GPU_LIB_TARGET_GPU_HOSTCALLS_H
#define CILK2GPU_LIB_TARGET_GPU_HOSTCALLS_H

#include "Retarget.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Instructions.h"

namespace cilk2gpu {

/// Attribute of a call that stays because it may access a local that cannot be moved. Its value locates the local.
inline constexpr char kShowsUnmovableAttr[] = "cilk2gpu-shows-unmovable";

class HostCalls {
public:
  /// Declares the functions that these calls need, if there may be such calls. Must run before `runtime` is linked.
  HostCalls(llvm::Module &program, const llvm::Module &runtime);

  /// Returns true if the host may have to make calls.
  bool mayBe() const { return isNeeded; }

  /// Replaces the calls of functions that have no device version, and passes each to `report`. Calls that the host
  /// cannot make stay, and are refused later. Runs on simplified code, in which only generic pointers lead to locals.
  void lower(llvm::function_ref<void(const llvm::CallBase &)> report);

private:
  using Locals = llvm::SetVector<llvm::AllocaInst *>;

  bool isCallable(const llvm::CallBase &call) const;
  bool looksAround(const llvm::CallBase &call) const;
  void findShared(const llvm::SmallVectorImpl<llvm::CallBase *> &calls);
  void show(Locals &locals, llvm::CallBase &call);
  void share(llvm::AllocaInst &local);
  void lowerCall(llvm::CallBase &call);

  llvm::Module &program;
  bool isNeeded = false;
  llvm::StringMap<bool> known; ///< key of a host call -> may the function access any memory?
  Locals shared;               ///< locals that the host may see
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_GPU_HOSTCALLS_H
