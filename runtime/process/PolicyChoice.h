// The policy of an executor: CILK2GPU_POLICY names it, else a graph of the program (channel.graph), else it is the
// executor's default.
//
//   limits.policy = choosePolicy(settings.policy, kOneLevelAtATime, "gpu-host");
//
// Thread-safety: callers hold one lock for suggestPolicy(), and for choosePolicy() where graphs may register.
#ifndef CILK2GPU_RUNTIME_PROCESS_POLICYCHOICE_H
#define CILK2GPU_RUNTIME_PROCESS_POLICYCHOICE_H

#include "core/Policies.h"

namespace cilk2gpu::rt {

/// What executors can do for policies: the native workers; gpu-host and GPUs; the modelled machine.
inline constexpr PolicySupport kNativeSupport = {true, false}, kDeviceSupport = {false, false},
                               kModelSupport = {false, true};

/// The policy with that name, or null.
const Policy *findPolicy(const char *name);

/// Takes note of the policy that the graph of a module asks for. A name that no policy has ends the process with a
/// message.
void suggestPolicy(const char *name, const char *module);

/// The policy of an executor: the one asked for, or the policy that graphs ask for, or the executor's default if that
/// is null. One that does not apply ends the process with a message. `device`: the executor's name as CILK2GPU_DEVICE
/// has it.
PolicyKind choosePolicy(const Policy *wanted, PolicySupport support, const char *device);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_POLICYCHOICE_H
