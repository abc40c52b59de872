// An image's persistent kernel: one entry that runs a whole graph, with the aggregator
// (runtime/device/PersistentWavefront.h). It calls the lanes' functions through a table of pointers.
#ifndef CILK2GPU_LIB_TARGET_GPU_PERSISTENTKERNEL_H
#define CILK2GPU_LIB_TARGET_GPU_PERSISTENTKERNEL_H

#include "Retarget.h"

#include "llvm/IR/InstrTypes.h"

namespace cilk2gpu {

/// Adds the kernel and the table to a retargeted program, before the device runtime is linked. The table has the device
/// form of every kernel, in the order of the tasks. Fresh and restarted lanes share a form.
void addPersistentKernel(llvm::Module &program);

/// On AMD's GPUs, limits the registers of functions that the persistent kernel may call. So several blocks fit into a
/// compute unit. NVIDIA's driver sets such a limit itself. Runs after kernels are marked.
void limitRegisters(llvm::Module &program, const DeviceTarget &target);

/// Adds the kernel `void NAME(record) { BODY(record) }`. The device runtime has BODY.
void addRuntimeKernel(llvm::Module &program, llvm::StringRef name, llvm::StringRef body);
/// Adds a function that counts as a part of the device runtime, with an empty block.
llvm::Function *addRuntimeFunction(llvm::Module &program, llvm::FunctionType *type, llvm::StringRef name);

/// Marks local functions and variables of the device runtime, whose addresses are not addresses of the host. Also marks
/// its calls through pointers, which lead to these functions and to the lanes.
void markOwn(llvm::Module &runtime);
/// Returns true if a function is the persistent kernel, or a part of the device runtime. Its locals belong to no task.
bool isOfRuntime(const llvm::Function &function);
bool isOwn(const llvm::GlobalValue &value);
bool isOwnCall(const llvm::CallBase &call);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_GPU_PERSISTENTKERNEL_H
