// What lanes do at their ends of channels and frames (cilk2gpu/abi/Device.h), for whatever machine they run on.
//
// All lanes that ask for the same thing together are served by one atomic addition of their leader (Orr et al., section
// 4.2: wavefront-aggregated reservation). There is no compare-and-swap loop: room is made before a dispatch and only
// shrinks while it runs, so a counter that has run past its limit is simply full, and the aggregator takes the excess
// back afterwards.
//
// Thread-safety and order: any lanes of a dispatch at once. Additions are relaxed: elements are disjoint, and nobody
// reads one before the dispatch that filled it has ended, which the aggregator and the next dispatch synchronise with.
#ifndef CILK2GPU_RUNTIME_DEVICE_CHANNELENDS_H
#define CILK2GPU_RUNTIME_DEVICE_CHANNELENDS_H

// What kernels call, of whatever object, is one runtime's.
#pragma GCC visibility push(default)
#include "cilk2gpu/abi/Device.h"
#pragma GCC visibility pop
#include "device/DeviceMachine.h"

namespace cilk2gpu::device {

/// `Cursor` and `Store` are pointers to abi::Cursor and abi::FrameStore, or to what has the same members.
template <class Machine> struct ChannelEnds {
  /// An element's index in the channel, or abi::kRefused.
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

  /// Those of the lanes that are here together which want the same counter as this one.
  static uint64_t companions(uint64_t here, Counter counter) {
    for (uint64_t lanes = here;;) {
      bool isSame = Machine::broadcast(lanes, (uint64_t)counter, firstLane(lanes)) == (uint64_t)counter;
      uint64_t same = Machine::ballot(lanes, isSame);
      if (isSame)
        return same;
      lanes &= ~same;
    }
  }

  /// Adds one to `counter` for every lane that calls this together; returns what this lane's would have been on its
  /// own.
  static uint64_t take(Counter counter) {
    uint64_t here = Machine::activeLanes(Purpose::Reserve), lanes = companions(here, counter);
    uint32_t self = Machine::ownLane(), leader = firstLane(lanes);
    uint64_t first = 0;
    if (self == leader)
      first = Machine::OnDevice::template add<__ATOMIC_RELAXED>(counter, uint64_t(countLanes(lanes)));
    return Machine::broadcastAmong(here, lanes, first, leader) + countLanes(lanesBefore(lanes, self));
  }

  /// Element `index` of a column.
  template <class T, class Cursor> static Global<Elements<T>> element(Cursor cursor, uint32_t column, uint64_t index) {
    return toGlobal(static_cast<Elements<T> *>(toGlobal(cursor->columns)[column])) + index;
  }
};

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_DEVICE_CHANNELENDS_H
