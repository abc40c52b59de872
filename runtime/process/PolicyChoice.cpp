// See PolicyChoice.h.
#include "process/PolicyChoice.h"
#include "process/Message.h"

#include <string.h>

namespace cilk2gpu::rt {

const Policy *findPolicy(const char *name) {
  for (const Policy &policy : kPolicies)
    if (!strcmp(name, policy.name))
      return &policy;
  return nullptr;
}

PolicyKind choosePolicy(const Policy *wanted, Device device) {
  PolicySupport support = traitsOf(device).policies;
  if (!wanted)
    return usualPolicy(support);
  if (!support.suffices(*wanted))
    fatal("CILK2GPU_POLICY=%s does not apply to CILK2GPU_DEVICE=%s, whose scheduler %s; policies that apply: %s",
          wanted->name, deviceName(device), wanted->measures ? "looks at no clock" : "does not count children",
          PolicyNames(support).text);
  return PolicyKind(wanted - kPolicies);
}

} // namespace cilk2gpu::rt
