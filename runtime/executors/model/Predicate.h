// A predicate says when a channel holds enough elements for a dispatch. A program that makes a Model itself may have
// its own predicate.
//
// Thread-safety: the aggregator's thread calls a predicate.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_MODEL_PREDICATE_H
#define CILK2GPU_RUNTIME_EXECUTORS_MODEL_PREDICATE_H

#include <stdint.h>

namespace cilk2gpu::rt {

/// The facts about a channel that a predicate gets. Times are in cycles.
struct ChannelView {
  uint64_t ready;  ///< elements that could be dispatched
  uint32_t wave;   ///< lanes of a full wavefront
  uint64_t oldest; ///< time since which an element has been ready
  uint64_t now;
};

/// Decides whether to dispatch from a channel. If nothing runs and no predicate holds, the aggregator dispatches
/// anyway. So a predicate can delay a graph, but not stop it.
struct Predicate {
  bool (*holds)(void *context, const ChannelView &channel); ///< null: fillsWavefront, on the host and on a control
                                                            ///< processor
  void *context;
};

inline bool fillsWavefront(void *, const ChannelView &channel) { return channel.ready >= channel.wave; }

/// Returns true if elements have been ready for longer than a time-out. `context` points to the time-out in cycles, a
/// uint64_t.
inline bool anyAfterTimeout(void *context, const ChannelView &channel) {
  return channel.ready >= channel.wave || channel.now - channel.oldest >= *static_cast<const uint64_t *>(context);
}

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_MODEL_PREDICATE_H
