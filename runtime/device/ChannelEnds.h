// The lanes' operations on channels and frames (cilk2gpu/abi/Device.h), for every machine that runs lanes.
//
// One lane, the leader, makes one atomic addition for all lanes that reserve in the same channel at once (Orr et al.,
// section 4.2: wavefront-aggregated reservation). No compare-and-swap loop is needed, because room is made before a
// dispatch and only shrinks while the dispatch runs. A counter that has run past its limit means a full channel. The
// aggregator takes the excess back afterwards.
//
// Thread-safety and order: any lanes of a dispatch may call at once. Additions are relaxed, because elements are
// disjoint. Nobody reads an element before the dispatch that filled it has ended, and that end synchronises with the
// aggregator and the next dispatch.
#ifndef CILK2GPU_RUNTIME_DEVICE_CHANNELENDS_H
#define CILK2GPU_RUNTIME_DEVICE_CHANNELENDS_H

// These functions are visible, because kernels of all object files call the functions of one runtime.
#pragma GCC visibility push(default)
#include "cilk2gpu/abi/Device.h"
#pragma GCC visibility pop
#include "device/DeviceMachine.h"

namespace cilk2gpu::device {

/// `Cursor` and `Store` are pointers to abi::Cursor and abi::FrameStore, or to types with the same members.
template <class Machine> struct ChannelEnds {
  /// Returns an element's index in the channel, or abi::kRefused.
  template <class Cursor> static uint64_t talloc(Cursor cursor) {
    uint64_t index = take(&cursor->next);
    return index < Machine::get(&cursor->limit) ? index : abi::kRefused;
  }

  template <class Store> static void *frame(Store store) {
    return Machine::get(toGlobal(store->free) + (Machine::get(&store->count) - 1 - take(&store->taken)));
  }

  template <class Store> static void tfree(Store store, void *frame) {
    Machine::set(toGlobal(store->returns) + take(&store->returned), frame);
  }

  template <class Cursor> static void publish(Cursor cursor, void *frame) {
    Machine::set(element<void *>(cursor, 0, take(&cursor->next)), frame);
  }

  template <class Cursor> static void yield(Cursor cursor, void *frame, uint32_t site) {
    uint64_t index = take(&cursor->next);
    Machine::set(element<void *>(cursor, 0, index), frame);
    Machine::set(element<uint32_t>(cursor, 1, index), site);
  }

private:
  using Counter = Global<typename Machine::template Word<uint64_t>>;
  template <class T> using Elements = typename Machine::template Plain<T>;

  /// Returns the lanes of `here` that use the same counter as this lane.
  static uint64_t companions(uint64_t here, Counter counter) {
    for (uint64_t lanes = here;;) {
      bool isSame = Machine::broadcast(lanes, (uint64_t)counter, firstLane(lanes)) == (uint64_t)counter;
      uint64_t same = Machine::ballot(lanes, isSame);
      if (isSame)
        return same;
      lanes &= ~same;
    }
  }

  /// Adds one to `counter` for every lane that calls this together. Returns the value that this lane's own addition
  /// would have returned.
  static uint64_t take(Counter counter) {
    uint64_t here = Machine::activeLanes(Purpose::Reserve), lanes = companions(here, counter);
    uint32_t self = Machine::ownLane(), leader = firstLane(lanes);
    uint64_t first = 0;
    if (self == leader)
      first = Machine::OnDevice::template add<__ATOMIC_RELAXED>(counter, uint64_t(countLanes(lanes)));
    return Machine::broadcastAmong(here, lanes, first, leader) + countLanes(lanesBefore(lanes, self));
  }

  /// Returns element `index` of a column.
  template <class T, class Cursor> static Global<Elements<T>> element(Cursor cursor, uint32_t column, uint64_t index) {
    return toGlobal(static_cast<Elements<T> *>(toGlobal(cursor->columns)[column])) + index;
  }
};

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_DEVICE_CHANNELENDS_H
