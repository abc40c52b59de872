// The policy that CILK2GPU_POLICY names, for an executor.
//
//   limits.policy = choosePolicy(settings.policy, Device::GpuHost);
//
// Thread-safety: pure functions, but for messages.
#ifndef CILK2GPU_RUNTIME_PROCESS_POLICYCHOICE_H
#define CILK2GPU_RUNTIME_PROCESS_POLICYCHOICE_H

#include "core/Policies.h"
#include "process/Devices.h"

namespace cilk2gpu::rt {

/// Returns the policy with that name, or null.
const Policy *findPolicy(const char *name);

/// Returns `wanted`, or the device's default if that is null. A policy that does not apply to the device ends the
/// process with a message that names the policies that apply.
PolicyKind choosePolicy(const Policy *wanted, Device device);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_POLICYCHOICE_H
