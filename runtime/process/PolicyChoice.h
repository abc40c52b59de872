// Chooses the policy of an executor: the policy that CILK2GPU_POLICY names, else the policy that a graph of the program
// (channel.graph) asks for, else the executor's default.
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

/// Records the policy that the graph of a module asks for. If no policy has this name, ends the process with a message.
void suggestPolicy(const char *name, const char *module);

/// Returns `wanted`; if it is null, the policy that graphs ask for; otherwise the device's default. If the device does
/// not have the policy, ends the process with a message that names the policies of the device.
PolicyKind choosePolicy(const Policy *wanted, Device device);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_POLICYCHOICE_H
