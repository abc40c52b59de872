// Scheduling policies as data: which level's work goes first, and when a post-sync element is ready. One scheduler core
// reads these tables. Predicates say when a channel has enough for a dispatch; they are table entries, too.
#ifndef CILK2GPU_RUNTIME_CORE_POLICY_H
#define CILK2GPU_RUNTIME_CORE_POLICY_H

#include <stdint.h>

namespace cilk2gpu::rt {

enum class LevelOrder : uint8_t {
  OneAtATime,   ///< one level until nothing of it can be dispatched and nothing of it runs, then the one below
  DeepestFirst, ///< any level, deepest first
  Switching,    ///< shallowest first (help-first) as long as the channels below
                ///< have room, deepest first (work-first) from then on
};

enum class Readiness : uint8_t {
  ByLevel, ///< when nothing deeper is left
  ByCount, ///< when all elements that the wavefront it comes from has spawned are complete
};

enum class PolicyKind : uint8_t { Levelized, Hybrid, Counted };

struct Policy {
  const char *name;
  LevelOrder order;
  Readiness readiness;
};

inline constexpr Policy kPolicies[] = {
    {"levelized", LevelOrder::OneAtATime, Readiness::ByLevel},
    {"hybrid", LevelOrder::Switching, Readiness::ByLevel},
    {"counted", LevelOrder::DeepestFirst, Readiness::ByCount},
};

/// What a predicate sees of a channel. Times are in cycles.
struct ChannelView {
  uint64_t ready;  ///< elements that could be dispatched
  uint32_t wave;   ///< lanes of a full wavefront
  uint64_t oldest; ///< time since when something has been ready
  uint64_t now;
};

/// Whether to dispatch. Where nothing runs and no predicate holds, the aggregator dispatches all the same: no answer
/// can stop a graph, only delay it.
struct Predicate {
  bool (*holds)(void *context, const ChannelView &channel); ///< null: fillsWavefront, wherever the aggregator runs
  void *context;
};

inline bool fillsWavefront(void *, const ChannelView &channel) { return channel.ready >= channel.wave; }

/// `context` points to the time-out in cycles, a uint64_t.
inline bool anyAfterTimeout(void *context, const ChannelView &channel) {
  return channel.ready >= channel.wave || channel.now - channel.oldest >= *static_cast<const uint64_t *>(context);
}

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_POLICY_H
