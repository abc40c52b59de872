// See MainStack.h.
#include "MainStack.h"

#include <sys/resource.h>

extern "C" void *__libc_stack_end;

namespace cilk2gpu::races {

/// Linux keeps at least 128 MiB for the stack, and places other memory below. No stack needs more than 1 TiB.
static constexpr size_t kLeastBytes = size_t(128) << 20, kMostBytes = size_t(1) << 40;

void MainStack::open() {
  rlimit limit = {kMostBytes, kMostBytes};
  getrlimit(RLIMIT_STACK, &limit);
  bytes = limit.rlim_cur > kMostBytes ? kMostBytes : limit.rlim_cur < kLeastBytes ? kLeastBytes : limit.rlim_cur;
  lowestTouched = uintptr_t(__libc_stack_end);
  low = lowestTouched - bytes;
}

} // namespace cilk2gpu::races
