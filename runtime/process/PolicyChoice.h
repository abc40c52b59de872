// The policy that CILK2GPU_POLICY names, for an executor.
//
//   limits.policy = choosePolicy(settings.policy, kOneLevelAtATime, "gpu-host");
//
// Thread-safety: pure functions, but for messages.
#ifndef CILK2GPU_RUNTIME_PROCESS_POLICYCHOICE_H
#define CILK2GPU_RUNTIME_PROCESS_POLICYCHOICE_H

#include "core/Policies.h"

namespace cilk2gpu::rt {

/// What executors can do for policies: the native workers; gpu-host and GPUs; the modelled machine.
inline constexpr PolicySupport kNativeSupport = {true, false}, kDeviceSupport = {false, false},
                               kModelSupport = {false, true};

/// The policy with that name, or null.
const Policy *findPolicy(const char *name);

/// The policy of an executor: the one asked for, or the executor's default if that is null. One that does not apply
/// ends the process with a message. `device`: the executor's name as CILK2GPU_DEVICE has it.
PolicyKind choosePolicy(const Policy *wanted, PolicySupport support, const char *device);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_POLICYCHOICE_H
