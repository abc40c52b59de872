// What the lanes of a device ask of their channels. The compiler emits calls of these functions in a kernel's device
// form (cilk2gpu/abi/Records.h, KernelRecord::lane); runtime/device implements them, once for AMD, NVIDIA and the host.
//
// A wave's room is made before it is dispatched: spawn cursors have [next, limit) free, sync and restart cursors and
// the store of frames have room for every lane. Lanes reserve from it with one atomic operation for all lanes that ask
// together; what is left of it is visible to the aggregator when the dispatch has ended, and so is what lanes wrote.
//
// Thread-safety: all lanes of a dispatch may call these at once, in any grouping: nothing waits for a lane that is not
// active. `wave` is shared by all lanes of the dispatch, which may be several hardware wavefronts.
#ifndef CILK2GPU_ABI_DEVICE_H
#define CILK2GPU_ABI_DEVICE_H

#include "cilk2gpu/abi/Records.h"

namespace cilk2gpu::abi {

/// What __cilk2gpu_device_talloc returns when there is no space.
inline constexpr uint64_t kRefused = ~uint64_t(0);

/// How results are folded into one accumulator. All of them are associative and commutative.
enum class Fold : uint32_t { Add, And, Or, Xor, Max, Min, UnsignedMax, UnsignedMin, FloatAdd };

} // namespace cilk2gpu::abi

extern "C" {

/// Reserves an element in wave->spawns[target] and returns its index, or kRefused: the lane must then save itself in
/// its frame, call __cilk2gpu_device_yield and end.
uint64_t __cilk2gpu_device_talloc(cilk2gpu::abi::Wave *wave, uint32_t target);

/// Takes a frame; there is one for every lane of a pre-sync wave.
void *__cilk2gpu_device_frame(cilk2gpu::abi::Wave *wave);

/// Gives a frame back. Others get it only after the dispatch.
void __cilk2gpu_device_tfree(cilk2gpu::abi::Wave *wave, void *frame);

/// Puts the frame into the channel of post-sync kernel `kernel`.
void __cilk2gpu_device_publish(cilk2gpu::abi::Wave *wave, uint32_t kernel, void *frame);

/// Returns `pointer`, which leads to memory that all lanes share: code generators for GPUs know then that it is no
/// lane's stack.
void *__cilk2gpu_device_global(void *pointer);

/// Folds an integer of `bytes` (1, 2, 4 or 8) bytes, the low ones of `value`, into the accumulator at `to`, which is in
/// memory that all lanes share and aligned to its size. Others may do so at the same time.
void __cilk2gpu_device_fold(void *to, uint64_t value, cilk2gpu::abi::Fold fold, uint32_t bytes);

/// Puts (frame, site) where it is restarted.
void __cilk2gpu_device_yield(cilk2gpu::abi::Wave *wave, void *frame, uint32_t site);
}

#endif // CILK2GPU_ABI_DEVICE_H
