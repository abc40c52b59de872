// Thunks through which the host calls functions for tasks on a GPU; part of making a device module.
#ifndef CILK2GPU_LIB_TARGET_GPU_HOSTTHUNKS_H
#define CILK2GPU_LIB_TARGET_GPU_HOSTTHUNKS_H

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// What thunks' names begin with.
inline constexpr char kHostThunk[] = "__cilk2gpu_host_call.";

/// Whether a call needs an errno of its lane's own. The thread that makes calls for lanes has one for all of them.
bool looksAtErrno(const llvm::CallBase &call);

/// Creates thunks in `module`, the host's, for the calls in `device`, and notes there which there are. `add` gets each,
/// with the name (hostCallKey) by which the device linker finds it.
void createHostThunks(llvm::Module &module, llvm::Module &device,
                      llvm::function_ref<void(llvm::StringRef key, llvm::Function &thunk)> add);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_GPU_HOSTTHUNKS_H
