// The registry of policies. The table is in the source, so that the runtime, its firmware and its GPU code have the
// same policies after a rebuild. The values of CILK2GPU_POLICY, their error messages, the names in statistics and the
// tables of the documentation come from it.
//
// To add a policy, write a header (Policy.h says how), include it here and add a line to CILK2GPU_POLICIES. An
// executor's default is the first policy in this table that it supports.
//
// Thread-safety: constants. Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_POLICIES_H
#define CILK2GPU_RUNTIME_CORE_POLICIES_H

#include "core/AdaptivePolicy.h"
#include "core/CountedPolicy.h"
#include "core/DataflowPolicy.h"
#include "core/HybridPolicy.h"
#include "core/LevelizedPolicy.h"

// A build may add policies by a header that defines their classes and CILK2GPU_EXTRA_POLICIES.
#ifdef CILK2GPU_EXTRA_POLICY_HEADER
#include CILK2GPU_EXTRA_POLICY_HEADER
#else
#define CILK2GPU_EXTRA_POLICIES(POLICY)
#endif

#define CILK2GPU_POLICIES(POLICY)                                                                                      \
  POLICY(Adaptive)                                                                                                     \
  POLICY(Levelized)                                                                                                    \
  POLICY(Hybrid)                                                                                                       \
  POLICY(Counted)                                                                                                      \
  POLICY(Dataflow)                                                                                                     \
  CILK2GPU_EXTRA_POLICIES(POLICY)

namespace cilk2gpu::rt {

enum class PolicyKind : uint8_t {
#define CILK2GPU_POLICY(name) name,
  CILK2GPU_POLICIES(CILK2GPU_POLICY)
#undef CILK2GPU_POLICY
};

/// All policies, indexed by PolicyKind.
inline constexpr Policy kPolicies[] = {
#define CILK2GPU_POLICY(name) name##Policy::kPolicy,
    CILK2GPU_POLICIES(CILK2GPU_POLICY)
#undef CILK2GPU_POLICY
};
inline constexpr unsigned kNumPolicies = sizeof kPolicies / sizeof *kPolicies;

/// Trials of elisions need the measurements of the lanes in the graph.
static_assert([] {
  for (const Policy &policy : kPolicies)
    if (policy.elides && !policy.measures)
      return false;
  return true;
}());

constexpr const Policy &policyOf(PolicyKind kind) { return kPolicies[unsigned(kind)]; }

/// Returns the result of `function` for an object of the policy's class.
template <typename Function> inline auto withPolicy(PolicyKind kind, Function function) {
  switch (kind) {
#define CILK2GPU_POLICY(name)                                                                                          \
  case PolicyKind::name:                                                                                               \
    return function(name##Policy());
    CILK2GPU_POLICIES(CILK2GPU_POLICY)
#undef CILK2GPU_POLICY
  }
  __builtin_unreachable();
}

/// The names of the policies that an executor supports, as text: "levelized, hybrid".
struct PolicyNames {
  char text[256] = {};

  constexpr explicit PolicyNames(PolicySupport support = {true, true}) {
    unsigned length = 0;
    for (const Policy &policy : kPolicies) {
      if (!support.suffices(policy))
        continue;
      for (const char *separator = length ? ", " : ""; *separator; ++separator)
        text[length++] = *separator;
      for (const char *name = policy.name; *name; ++name)
        text[length++] = *name; // does not compile if the names do not fit
    }
  }
};

/// The values of CILK2GPU_POLICY.
inline constexpr PolicyNames kPolicyNames;

/// Returns the first policy that an executor supports.
constexpr PolicyKind usualPolicy(PolicySupport support) {
  unsigned kind = 0;
  while (!support.suffices(kPolicies[kind]))
    ++kind;
  return PolicyKind(kind);
}

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_POLICIES_H
