// See Threads.h.
#include "process/Threads.h"
#include "core/Tunables.h"

#include <sys/resource.h>

namespace cilk2gpu::rt {

int createTaskThread(pthread_t &thread, void *(*main)(void *), void *argument) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  rlimit stack;
  bool limited = getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur != RLIM_INFINITY;
  size_t least = size_t(1) << 20;
  pthread_attr_setstacksize(&attributes, !limited                 ? tunables::kWorkerStack
                                         : stack.rlim_cur > least ? stack.rlim_cur
                                                                  : least);
  int error = pthread_create(&thread, &attributes, main, argument);
  pthread_attr_destroy(&attributes);
  return error;
}

uint64_t fiberStackBytes() {
  rlimit stack;
  if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur > tunables::kMaxFiberStack)
    return tunables::kMaxFiberStack;
  uint64_t least = uint64_t(1) << 20;
  return stack.rlim_cur < least ? least : stack.rlim_cur;
}

} // namespace cilk2gpu::rt
