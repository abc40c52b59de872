// Calls that tasks on a GPU make of functions which only the host has: the host makes them, in the thread that waits
// for the launch (cilk2gpu/abi/Requests.h). Memory has one address on both sides, so that what the function reads and
// writes is the program's own; what would be in a lane's own memory is put where the host can reach it.
#ifndef CILK2GPU_LIB_TARGET_GPU_HOSTCALLS_H
#define CILK2GPU_LIB_TARGET_GPU_HOSTCALLS_H

#include "Retarget.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Instructions.h"

namespace cilk2gpu {

/// Attribute of a call that stays because it may look at a local which cannot be put elsewhere: where that is.
inline constexpr char kShowsUnmovableAttr[] = "cilk2gpu-shows-unmovable";

class HostCalls {
public:
  /// Before the device runtime, `runtime`, is linked: has it bring what calls need, if there may be any.
  HostCalls(llvm::Module &program, const llvm::Module &runtime);

  /// Whether there may be any.
  bool mayBe() const { return isNeeded; }

  /// In simplified code, in which locals are still reached through generic pointers only: replaces the calls of
  /// functions that have no device version. Those that the host cannot make stay, and are refused. `report` gets each
  /// that is replaced.
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
  llvm::StringMap<bool> known; ///< keys of calls that the host can make, and whether the function may look anywhere
  Locals shared;               ///< that the host may be shown
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_GPU_HOSTCALLS_H
