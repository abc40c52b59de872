// The policy of an executor: CILK2GPU_POLICY names it, else a graph of the program (channel.graph), else it is the
// executor's default.
//
//   limits.policy = choosePolicy(settings.policy, Device::GpuHost);
//
// Thread-safety: callers hold one lock for suggestPolicy(), and for choosePolicy() where graphs may register.
#ifndef CILK2GPU_RUNTIME_PROCESS_POLICYCHOICE_H
#define CILK2GPU_RUNTIME_PROCESS_POLICYCHOICE_H

#include "core/Policies.h"
#include "process/Devices.h"

namespace cilk2gpu::rt {

/// Returns the policy with that name, or null.
const Policy *findPolicy(const char *name);

/// Takes note of the policy that the graph of a module asks for. A name that no policy has ends the process with a
/// message.
void suggestPolicy(const char *name, const char *module);

/// Returns `wanted`, or if that is null the policy that graphs ask for, or else the device's default. A policy that does
/// not apply to the device ends the process with a message that names the policies that apply.
PolicyKind choosePolicy(const Policy *wanted, Device device);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_POLICYCHOICE_H
