// Thunks through which the host calls functions for tasks on a GPU. This is a part of making a device module.
#ifndef CILK2GPU_LIB_TARGET_GPU_HOSTTHUNKS_H
#define CILK2GPU_LIB_TARGET_GPU_HOSTTHUNKS_H

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// Prefix of the thunks' names.
inline constexpr char kHostThunk[] = "__cilk2gpu_host_call.";

/// Returns true if a call needs an errno of its own lane. The thread that makes calls for lanes has a single errno.
bool looksAtErrno(const llvm::CallBase &call);

/// Creates thunks in `module`, the host's module, for the calls in `device`, and lists them in `device`. Passes each
/// thunk to `add`, with the name (hostCallKey) by which the device linker finds it.
void createHostThunks(llvm::Module &module, llvm::Module &device,
                      llvm::function_ref<void(llvm::StringRef key, llvm::Function &thunk)> add);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_GPU_HOSTTHUNKS_H
