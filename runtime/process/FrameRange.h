// The range of addresses that frames stand in: 32 bits name a place in it (abi::kFrameUnit). The range is reserved with
// the first frame. Its pages become memory as they are given out. An address is given out once: frames stay as long as
// the process does.
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

/// Around fork: no thread allocates in the range between the two calls.
void lockFrameRange();
void unlockFrameRange();

/// From now on, elements name places in frames, and no frame may stand outside the range. Returns false if a frame
/// stands outside already.
bool requireFrameRange();

/// Returns whether a frame may stand outside the range. The caller is about to allocate it there.
bool mayLeaveFrameRange();

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_FRAMERANGE_H
