// See RestartChannel.h.
#include "executors/model/RestartChannel.h"

namespace cilk2gpu::rt {

void RestartChannel::send(Arena &arena, SavedWave *saved, CasCounts &cas) {
  Reservation place;
  while (!(place = channel.reserve(budget(arena), 1, 1, cas)).count)
    modelledAtomic();
  uint64_t slot = place.segment->channel.slotOf(place.position);
  static_cast<SavedWave **>(place.segment->columns[0])[slot] = saved;
  channel.publish(place, cas);
}

SavedWave *RestartChannel::take(Arena &arena) {
  DispatchedRange range;
  if (!channel.dispatch(1, &range, 1))
    return nullptr;
  uint64_t slot = range.segment->channel.deq(range.range.first);
  SavedWave *saved = static_cast<SavedWave **>(range.segment->columns[0])[slot];
  HostWave one(1);
  HostWave::PerLane<uint64_t> slots;
  slots[0] = slot;
  range.segment->channel.tfree(one, slots);
  --range.segment->outstanding;
  channel.reclaim(budget(arena));
  return saved;
}

} // namespace cilk2gpu::rt
