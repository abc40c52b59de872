// Every function of the shared channel, compiled for the host and for GPUs without any library. Each is compiled twice:
// with an array for the values of all lanes, and with a single lane's values, as GPUs have them.
#include "core/ChannelLayout.h"
#include "core/SharedChannel.h"

using namespace cilk2gpu::rt;

template <class Wave> static void useAll(SharedChannel<> &channel, Wave &wave, ElementStore &store) {
  typename Wave::template PerLane<uint32_t> counts;
  typename Wave::template PerLane<uint64_t> slots;
  wave.forEachLane([&](unsigned lane) { counts[lane] = 1; });
  CasCounts cas;
  auto grant = channel.talloc(wave, counts, Grant::Partial, cas);
  wave.forEachLane([&](unsigned lane) { store.field<int>(0, channel.slotOf(grant.first[lane])) = int(lane); });
  channel.enq(wave, grant.first, grant.count, cas);
  ControlRange range = channel.dispatch(64);
  wave.forEachLane([&](unsigned lane) { slots[lane] = channel.deq(range.first + lane); });
  channel.tfree(wave, slots);
  channel.reclaim(Reclaim::Drained);
  grant = channel.tallocPerLane(wave, counts, Grant::Whole, cas);
  channel.giveBack(wave, grant.first, grant.count);
  channel.enqPerLane(wave, grant.first, grant.count, cas);
}

void useSharedChannel(SharedChannel<> &channel, ElementStore &store) {
  HostWave wave(32);
  useAll(channel, wave, store);
  ScalarWave lane;
  useAll(channel, lane, store);
}

void useDeviceScope(SharedChannel<BuiltinAtomics<__MEMORY_SCOPE_DEVICE>> &channel) {
  channel.reclaim(Reclaim::Drained);
}
