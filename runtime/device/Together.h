// Operations that all lanes of a worker's wavefront make together in a persistent kernel. On a GPU, all lanes call
// these functions together, at points that all lanes reach. On the host, a wavefront is a single thread.
//
// Only the leader reads memory that wavefronts share, so there is one load for a wavefront, not one for each lane.
#ifndef CILK2GPU_RUNTIME_DEVICE_TOGETHER_H
#define CILK2GPU_RUNTIME_DEVICE_TOGETHER_H

#include "device/Lanes.h"

namespace cilk2gpu::device {

#ifdef CILK2GPU_ON_GPU

inline uint64_t wholeWavefront() { return ~uint64_t(0) >> (64 - __gpu_num_lanes()); }

inline bool isLeader() { return __gpu_lane_id() == 0; }

/// Returns the leader's value.
inline uint64_t fromLeader(uint64_t value) { return broadcast(wholeWavefront(), value, 0); }

/// Orders memory: each action of any lane before the call happens before each action of any lane after the call. The
/// scope is the device, as for the leader's acquires and releases.
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
