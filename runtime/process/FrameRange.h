// The range of addresses that frames stand in, so that 32 bits name a place in one (abi::kFrameUnit). It is reserved
// when the first frame is asked for; pages become memory as they are given out, and their addresses are not given out
// again: frames stay as long as the process does.
//
// Thread-safety: all functions may be called by any thread.
#ifndef CILK2GPU_RUNTIME_PROCESS_FRAMERANGE_H
#define CILK2GPU_RUNTIME_PROCESS_FRAMERANGE_H

#include <stdint.h>

namespace cilk2gpu::rt {

/// Memory in the range; null: there is none left, or none at all.
void *allocateInFrameRange(uint64_t bytes, uint64_t align);

/// Gives the memory back to the system. False if it is not in the range.
bool releaseInFrameRange(void *memory, uint64_t bytes);

/// Around fork: nobody is inside while they hold it.
void lockFrameRange();
void unlockFrameRange();

/// Says that elements name places in frames from now on: no frame may stand outside. False if one does already.
bool requireFrameRange();

/// Whether a frame may stand outside, as one is about to.
bool mayLeaveFrameRange();

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_FRAMERANGE_H
