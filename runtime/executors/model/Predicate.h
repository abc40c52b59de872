// Predicates: they say when a channel holds enough elements for a dispatch. A program that makes a Model itself may
// bring its own predicate.
//
// Thread-safety: a predicate is called by the aggregator's thread.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_MODEL_PREDICATE_H
#define CILK2GPU_RUNTIME_EXECUTORS_MODEL_PREDICATE_H

#include <stdint.h>

namespace cilk2gpu::rt {

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

#endif // CILK2GPU_RUNTIME_EXECUTORS_MODEL_PREDICATE_H
