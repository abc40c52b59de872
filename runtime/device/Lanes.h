// Operations of lanes that run at once, on each target: find the active lanes, share a value, vote. All other code of
// the device runtime is written once, against these functions.
//
// All lanes of a group call a function together, and no lane waits for a lane outside the group. Two parties choose the
// groups:
// - the hardware: on NVIDIA, lanes of a warp that could run together may run separately;
// - the compiler, which may merge calls from several places of a kernel.
//
// So code must not assume that a value is the same in all lanes of a group, unless they have voted.
#ifndef CILK2GPU_RUNTIME_DEVICE_LANES_H
#define CILK2GPU_RUNTIME_DEVICE_LANES_H

#include "device/OnGpu.h"

#include <stdint.h>

#ifdef CILK2GPU_ON_GPU
#include <gpuintrin.h>
#endif

namespace cilk2gpu::device {

/// Purposes of a group. On the host, lanes with different purposes do not meet.
enum class Purpose { Reserve, Ask, Fold };

#ifdef CILK2GPU_ON_GPU

/// Returns the lanes of this wavefront that execute the call together.
inline uint64_t activeLanes(Purpose) { return __gpu_lane_mask(); }

/// Returns this lane's number in its wavefront.
inline uint32_t ownLane() { return __gpu_lane_id(); }

/// Returns the value that lane `from`, a lane of `lanes`, passes. All active lanes name the same lane.
inline uint64_t broadcast([[maybe_unused]] uint64_t lanes, uint64_t value, uint32_t from) {
#ifdef __AMDGCN__
  // With readlane the compiler knows that the value is uniform. So it computes results of the value once, and drops the
  // call if `value` is uniform already.
  return uint32_t(__builtin_amdgcn_readlane(int(value), int(from))) |
         uint64_t(uint32_t(__builtin_amdgcn_readlane(int(value >> 32), int(from)))) << 32;
#else
  return __gpu_shuffle_idx_u64(lanes, from, value, __gpu_num_lanes());
#endif
}

/// Returns the value that lane `from` passes. Lanes may name different lanes.
inline uint32_t shuffle(uint64_t lanes, uint32_t value, uint32_t from) {
  return __gpu_shuffle_idx_u32(lanes, from, value, __gpu_num_lanes());
}
inline uint64_t shuffle(uint64_t lanes, uint64_t value, uint32_t from) {
  return __gpu_shuffle_idx_u64(lanes, from, value, __gpu_num_lanes());
}

/// Like broadcast(), but the lanes `here` form groups, and each group has `lanes` and a `from` of its own.
inline uint64_t broadcastAmong([[maybe_unused]] uint64_t here, uint64_t lanes, uint64_t value, uint32_t from) {
#ifdef __AMDGCN__
  if (lanes == here)
    return broadcast(lanes, value, from);
#endif
  return shuffle(lanes, value, from);
}

/// Returns the lanes of `lanes` whose flag is set.
inline uint64_t ballot(uint64_t lanes, bool flag) { return __gpu_ballot(lanes, flag); }

/// Orders memory: each action of any of `lanes` before the call happens before each action of any of them after the
/// call, also for the host.
inline void synchronise(uint64_t lanes) {
  __scoped_atomic_thread_fence(__ATOMIC_ACQ_REL, __MEMORY_SCOPE_SYSTEM);
  __gpu_sync_lane(lanes);
  __scoped_atomic_thread_fence(__ATOMIC_ACQ_REL, __MEMORY_SCOPE_SYSTEM);
}

/// Waits some hundred cycles, in a loop that waits for the host or for other wavefronts.
inline void pause() {
#ifdef __AMDGCN__
  __builtin_amdgcn_s_sleep(8);
#else
  __nvvm_nanosleep(200);
#endif
}

#else

// On the host, lanes are fibers (HostLanes.h).
uint64_t activeLanes(Purpose purpose);
uint32_t ownLane();
uint64_t broadcast(uint64_t lanes, uint64_t value, uint32_t from);
uint64_t shuffle(uint64_t lanes, uint64_t value, uint32_t from);
inline uint32_t shuffle(uint64_t lanes, uint32_t value, uint32_t from) {
  return uint32_t(shuffle(lanes, uint64_t(value), from));
}
inline uint64_t broadcastAmong(uint64_t, uint64_t lanes, uint64_t value, uint32_t from) {
  return broadcast(lanes, value, from);
}
uint64_t ballot(uint64_t lanes, bool flag);
inline void synchronise(uint64_t lanes) { ballot(lanes, true); }
void pause();

#endif

// Marks memory that the scheduler hands to lanes as global. Code generators then make better code, above all AMD's.
#ifdef CILK2GPU_ON_GPU
template <class T> using Global = T __attribute__((address_space(1))) *;
template <class T> inline Global<T> toGlobal(T *pointer) { return (Global<T>)pointer; }
#else
template <class T> using Global = T *;
template <class T> inline T *toGlobal(T *pointer) { return pointer; }
#endif

/// Returns the number of lanes in a mask.
inline uint32_t countLanes(uint64_t lanes) { return uint32_t(__builtin_popcountll(lanes)); }

/// Returns the lanes of a mask that have smaller numbers than `lane`.
inline uint64_t lanesBefore(uint64_t lanes, uint32_t lane) { return lanes & ((uint64_t(1) << lane) - 1); }

/// Returns the lanes of a mask that have larger numbers than `lane`.
inline uint64_t lanesAfter(uint64_t lanes, uint32_t lane) { return lanes & ~uint64_t(1) << lane; }

/// Return the first and the last lane of a mask.
inline uint32_t firstLane(uint64_t lanes) { return uint32_t(__builtin_ctzll(lanes)); }
inline uint32_t lastLane(uint64_t lanes) { return 63 - uint32_t(__builtin_clzll(lanes)); }

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_DEVICE_LANES_H
