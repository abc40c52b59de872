// The lanes' ends of channels and frames: see abi/Device.h. One source for AMD, NVIDIA and the host.
//
// All lanes that ask for the same thing together are served by one atomic addition of their leader (Orr et al., section
// 4.2: wavefront-aggregated reservation). There is no compare-and-swap loop: room is made before a dispatch and only
// shrinks while it runs, so a counter that has run past its limit is simply full, and the aggregator takes the excess
// back afterwards.
//
// Memory order: additions are relaxed. Elements are disjoint, and nobody reads one before the dispatch that filled it has
// ended, which the aggregator and the next dispatch synchronise with.
#include "abi/Device.h"
#include "device/Lanes.h"

using namespace cilk2gpu;
using namespace cilk2gpu::device;

namespace {

/// Scope of the counters: all lanes of the device.
#if defined(__AMDGCN__) || defined(__NVPTX__)
constexpr int kScope = __MEMORY_SCOPE_DEVICE;
#else
constexpr int kScope = __MEMORY_SCOPE_SYSTEM;
#endif

/// Those of the lanes that are here together which want the same counter as this one.
uint64_t companions(Global<uint64_t> counter) {
  uint64_t lanes = activeLanes(Purpose::Reserve);
  for (;;) {
    bool isSame = broadcast(lanes, (uint64_t)counter, firstLane(lanes)) == (uint64_t)counter;
    uint64_t same = ballot(lanes, isSame);
    if (isSame)
      return same;
    lanes &= ~same;
  }
}

/// Adds one to `counter` for every lane that calls this together; returns what this lane's would have been on its own.
uint64_t take(Global<uint64_t> counter) {
  uint64_t lanes = companions(counter);
  uint32_t self = ownLane(), leader = firstLane(lanes);
  uint64_t first = 0;
  if (self == leader)
    first = __scoped_atomic_fetch_add(counter, uint64_t(countLanes(lanes)), __ATOMIC_RELAXED, kScope);
  return broadcast(lanes, first, leader) + countLanes(lanesBefore(lanes, self));
}

/// Element `index` of a column.
template <class T> Global<T> element(Global<abi::Cursor> cursor, uint32_t column, uint64_t index) {
  return toGlobal(static_cast<T *>(toGlobal(cursor->columns)[column])) + index;
}

Global<abi::FrameStore> framesOf(abi::Wave *wave) { return toGlobal(toGlobal(wave)->frames); }

} // namespace

uint64_t __cilk2gpu_device_talloc(abi::Wave *wave, uint32_t target) {
  Global<abi::Cursor> cursor = toGlobal(toGlobal(toGlobal(wave)->spawns)[target]);
  uint64_t index = take(&cursor->next);
  return index < cursor->limit ? index : abi::kRefused;
}

void *__cilk2gpu_device_frame(abi::Wave *wave) {
  Global<abi::FrameStore> store = framesOf(wave);
  return toGlobal(store->free)[store->count - 1 - take(&store->taken)];
}

void __cilk2gpu_device_tfree(abi::Wave *wave, void *frame) {
  Global<abi::FrameStore> store = framesOf(wave);
  toGlobal(store->returns)[take(&store->returned)] = frame;
}

void __cilk2gpu_device_publish(abi::Wave *wave, uint32_t kernel, void *frame) {
  Global<abi::Cursor> cursor = toGlobal(toGlobal(toGlobal(wave)->syncs)[kernel]);
  *element<void *>(cursor, 0, take(&cursor->next)) = frame;
}

void __cilk2gpu_device_yield(abi::Wave *wave, void *frame, uint32_t site) {
  Global<abi::Cursor> cursor = toGlobal(toGlobal(wave)->restarts);
  uint64_t index = take(&cursor->next);
  *element<void *>(cursor, 0, index) = frame;
  *element<uint32_t>(cursor, 1, index) = site;
}

#if !defined(__AMDGCN__) && !defined(__NVPTX__)
// In images the compiler makes something else of it.
void *__cilk2gpu_device_global(void *pointer) { return pointer; }
#endif
