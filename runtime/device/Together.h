// What the lanes of a worker's wavefront do as one in a persistent kernel. On a GPU they call these functions all
// together, at places that all of them come to; on the host a wavefront is a thread, and alone.
//
// Only the leader looks at what wavefronts share: one load of a wavefront, not one of each lane.
#ifndef CILK2GPU_RUNTIME_DEVICE_TOGETHER_H
#define CILK2GPU_RUNTIME_DEVICE_TOGETHER_H

#include "device/Lanes.h"

namespace cilk2gpu::device {

#ifdef CILK2GPU_ON_GPU

inline uint64_t wholeWavefront() { return ~uint64_t(0) >> (64 - __gpu_num_lanes()); }

inline bool isLeader() { return __gpu_lane_id() == 0; }

/// The leader's value.
inline uint64_t fromLeader(uint64_t value) { return broadcast(wholeWavefront(), value, 0); }

/// What any lane did before it happens before what any lane does after it; at the device's scope, as what the leader
/// has acquired or will release.
inline void meet() {
  __scoped_atomic_thread_fence(__ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
  __gpu_sync_lane(wholeWavefront());
  __scoped_atomic_thread_fence(__ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE);
}

#else

inline bool isLeader() { return true; }
inline uint64_t fromLeader(uint64_t value) { return value; }
inline void meet() {}

#endif

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_DEVICE_TOGETHER_H
