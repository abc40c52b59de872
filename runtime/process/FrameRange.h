// The range of addresses for frames. 32 bits are enough for an offset in it (abi::kFrameUnit). The range is reserved
// when the first frame is allocated, and takes memory as it is allocated. No address is used twice, because frames
// exist until the process ends.
//
// Thread-safety: any thread may call these functions.
#ifndef CILK2GPU_RUNTIME_PROCESS_FRAMERANGE_H
#define CILK2GPU_RUNTIME_PROCESS_FRAMERANGE_H

#include <stdint.h>

namespace cilk2gpu::rt {

/// Returns memory in the range; null if none is left, or if the range could not be reserved.
void *allocateInFrameRange(uint64_t bytes, uint64_t align);

/// Gives memory back to the system. Returns false if it is not in the range.
bool releaseInFrameRange(void *memory, uint64_t bytes);

/// Called around fork: between the two calls, no thread allocates in the range.
void lockFrameRange();
void unlockFrameRange();

/// Says that elements hold 32-bit destinations, so that from now on no frame may be outside the range. Returns false if
/// a frame is already outside.
bool requireFrameRange();

/// Returns whether a frame may be outside the range, and remembers that there is one. Call this before the frame is
/// allocated there.
bool mayLeaveFrameRange();

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_FRAMERANGE_H
