// An image's persistent kernel: one entry that runs a whole graph, with the aggregator in it
// (runtime/device/PersistentWavefront.h), and the table of lanes' functions that it calls through pointers.
#ifndef CILK2GPU_LIB_TARGET_GPU_PERSISTENTKERNEL_H
#define CILK2GPU_LIB_TARGET_GPU_PERSISTENTKERNEL_H

#include "Retarget.h"

#include "llvm/IR/InstrTypes.h"

namespace cilk2gpu {

/// Adds both to a retargeted program, before the device runtime is linked. Every kernel's device form is in the table,
/// in the order of the tasks; fresh and restarted lanes have one.
void addPersistentKernel(llvm::Module &program);

/// Once kernels are marked: what the persistent kernel may call gets no more registers than leave room for several
/// blocks.
void limitRegisters(llvm::Module &program, const DeviceTarget &target);

/// Marks what the device runtime has for itself: local functions and variables, whose addresses are the device's, and
/// calls through pointers, which lead to them and to the lanes.
void markOwn(llvm::Module &runtime);
/// Whether a function is the device runtime's, or the persistent kernel: its locals are no task's.
bool isOfRuntime(const llvm::Function &function);
bool isOwn(const llvm::GlobalValue &value);
bool isOwnCall(const llvm::CallBase &call);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_GPU_PERSISTENTKERNEL_H
