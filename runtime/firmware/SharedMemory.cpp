// Released pages are also given back to the system.
#include "firmware/SharedMemory.h"
#include "process/FrameRange.h"

#include <sys/mman.h>

namespace cilk2gpu::rt {

SharedMemory::SharedMemory(uint64_t most, uint64_t least) {
  for (size = most; size >= least; size /= 2) {
    void *memory = allocateInFrameRange(size, kPage); // frames are in this memory
    if (!memory)
      continue;
    start = static_cast<char *>(memory);
    pages.add(memory, size);
    return;
  }
}

void SharedMemory::release(void *memory, uint64_t bytes) {
  madvise(memory, PageRuns::wholePages(bytes),
          MADV_DONTNEED); // only a hint: allocated memory need not be zero
  pages.release(memory, bytes);
}

} // namespace cilk2gpu::rt
