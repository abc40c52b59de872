// The channel through which wavefronts that yield send their state to the aggregator.
//
//   RestartChannel restarts(contexts);
//   restarts.send(arena, saved, cas);            // in a wavefront
//   SavedWave *saved = restarts.take(arena);     // the aggregator; null: nothing was sent
//
// The width of the channel is the number of contexts. It is never full for long, because the aggregator waits for no
// wavefront before it takes an element (test/model/ChannelStack.pml, at any width).
//
// Thread-safety: one host thread. send() may lose the wavefront's turn at every atomic operation. Freestanding.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_MODEL_RESTARTCHANNEL_H
#define CILK2GPU_RUNTIME_EXECUTORS_MODEL_RESTARTCHANNEL_H

#include "executors/model/ModelLevels.h"

namespace cilk2gpu::rt {

class RestartChannel {
public:
  explicit RestartChannel(uint64_t contexts) { channel.initialise({field, 1}, contexts); }
  RestartChannel(const RestartChannel &) = delete;

  /// Waits for room, and publishes `saved`.
  void send(Arena &arena, SavedWave *saved, CasCounts &cas);
  /// Takes the oldest element, frees its slot, and returns its state; null if the channel is empty.
  SavedWave *take(Arena &arena);
  /// Returns the most bytes that the channel may take.
  uint64_t largestBytes() const { return LevelChannel::largestBytes(channel.layout, channel.width, 1); }

private:
  static ChannelBudget budget(Arena &arena) { return {.arena = arena, .granularity = 1}; }

  const abi::FieldRecord field[1] = {{sizeof(SavedWave *), alignof(SavedWave *)}};
  LevelChannel channel;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_MODEL_RESTARTCHANNEL_H
