// Operations of a device's lanes on their channels. The compiler emits calls of these functions in a kernel's device
// form (cilk2gpu/abi/Records.h, KernelRecord::lane). runtime/device implements them, once for AMD, NVIDIA and the host.
//
// The scheduler makes room for a wave before its dispatch. Spawn cursors have [next, limit) free; sync cursors, restart
// cursors and the store of frames have room for every lane. Lanes that ask together reserve room with one atomic
// operation. After the dispatch, the aggregator sees the remaining room and all writes of the lanes.
//
// Thread-safety: all lanes of a dispatch may call these at once, in any grouping: no call waits for a lane that is not
// active. All lanes of the dispatch, which may be several hardware wavefronts, share `wave`.
#ifndef CILK2GPU_ABI_DEVICE_H
#define CILK2GPU_ABI_DEVICE_H

#include "cilk2gpu/abi/Records.h"

namespace cilk2gpu::abi {

/// Result of __cilk2gpu_device_talloc if there is no space.
inline constexpr uint64_t kRefused = ~uint64_t(0);

/// Operations that fold results into one accumulator. All of them are associative and commutative.
enum class Fold : uint32_t { Add, And, Or, Xor, Max, Min, UnsignedMax, UnsignedMin, FloatAdd };

} // namespace cilk2gpu::abi

extern "C" {

/// Reserves an element in wave->spawns[target] and returns its index, or kRefused. A refused lane must save itself in
/// its frame, call __cilk2gpu_device_yield and end.
uint64_t __cilk2gpu_device_talloc(cilk2gpu::abi::Wave *wave, uint32_t target);

/// Takes a frame. There is one for every lane of a pre-sync wave.
void *__cilk2gpu_device_frame(cilk2gpu::abi::Wave *wave);

/// Gives a frame back. Other lanes get it only after the dispatch.
void __cilk2gpu_device_tfree(cilk2gpu::abi::Wave *wave, void *frame);

/// Puts the frame into the channel of post-sync kernel `kernel`.
void __cilk2gpu_device_publish(cilk2gpu::abi::Wave *wave, uint32_t kernel, void *frame);

/// Returns `pointer`, which must point to memory that all lanes share. The call tells GPUs' code generators that the
/// pointer does not lead to a lane's stack.
void *__cilk2gpu_device_global(void *pointer);

/// Folds the low `bytes` (1, 2, 4 or 8) bytes of `value` into the accumulator at `to`. The accumulator is in memory
/// that all lanes share, and aligned to its size. Other lanes may fold into it at the same time.
void __cilk2gpu_device_fold(void *to, uint64_t value, cilk2gpu::abi::Fold fold, uint32_t bytes);

/// Adds (frame, site) to the lanes to be restarted.
void __cilk2gpu_device_yield(cilk2gpu::abi::Wave *wave, void *frame, uint32_t site);
}

#endif // CILK2GPU_ABI_DEVICE_H
