// A channel of elements that stand for frames: post-sync elements, and lanes that yielded. The number of frames bounds
// the number of these elements, so the channel has no bound.
//
// Thread-safety: the owning scheduler's. Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_FRAMECHANNEL_H
#define CILK2GPU_RUNTIME_CORE_FRAMECHANNEL_H

#include "core/OwnedChannel.h"

namespace cilk2gpu::rt {

/// The first column is the frame. Post-sync elements need no other column, unless readiness is counted: then the second
/// column is the element's WaveNode. The second column of a restart is a uint32_t, the site at which the lane goes on.
struct FrameChannel {
  OwnedChannel channel;
  void *columns[2];
  uint64_t ready; ///< of a post-sync channel: leading elements that may go on
};

inline constexpr abi::FieldRecord kFrameFields[] = {{sizeof(void *), alignof(void *)},
                                                    {sizeof(uint32_t), alignof(uint32_t)}};
/// Columns of post-sync elements and of restarts.
inline constexpr ElementLayout kPostLayout = {kFrameFields, 1}, kRestartLayout = {kFrameFields, 2};

/// The bound of channels whose elements stand for frames.
inline constexpr uint64_t kUnboundedChannel = ~uint64_t(0);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_FRAMECHANNEL_H
