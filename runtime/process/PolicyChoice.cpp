// See PolicyChoice.h.
#include "process/PolicyChoice.h"
#include "process/Message.h"

#include <stdio.h>
#include <string.h>

namespace cilk2gpu::rt {

const Policy *findPolicy(const char *name) {
  for (const Policy &policy : kPolicies)
    if (!strcmp(name, policy.name))
      return &policy;
  return nullptr;
}

namespace {
/// A policy that a graph asks for. The first such policy is kept, and a different one if graphs disagree.
struct Suggestion {
  const Policy *policy;
  char module[256];
} suggestions[2];
} // namespace

void suggestPolicy(const char *name, const char *module) {
  const Policy *policy = findPolicy(name);
  if (!policy)
    fatal("the graph of %s asks for the policy '%s', which this runtime does not have; it has: %s", module, name,
          kPolicyNames.text);
  Suggestion &first = suggestions[0], &entry = first.policy && first.policy != policy ? suggestions[1] : first;
  if (entry.policy)
    return;
  entry.policy = policy;
  snprintf(entry.module, sizeof entry.module, "%s", module);
}

static const Policy *suggestedPolicy() {
  const Suggestion &first = suggestions[0], &other = suggestions[1];
  if (other.policy)
    fatal("the graph of %s asks for the policy '%s' and the graph of %s for '%s'; choose one with CILK2GPU_POLICY",
          first.module, first.policy->name, other.module, other.policy->name);
  return first.policy;
}

PolicyKind choosePolicy(const Policy *wanted, Device device) {
  PolicySupport support = traitsOf(device).policies;
  char source[300] = "CILK2GPU_POLICY";
  if (!wanted) {
    wanted = suggestedPolicy();
    snprintf(source, sizeof source, "the graph of %s: policy", suggestions[0].module);
  }
  if (!wanted)
    return usualPolicy(support);
  if (!support.suffices(*wanted))
    fatal("%s=%s does not apply to CILK2GPU_DEVICE=%s, whose scheduler %s; policies that apply: %s", source,
          wanted->name, deviceName(device), wanted->measures ? "looks at no clock" : "does not count children",
          PolicyNames(support).text);
  return PolicyKind(wanted - kPolicies);
}

} // namespace cilk2gpu::rt
