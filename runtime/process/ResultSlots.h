// Storage for the results of roots, in the range of frames. Elements with 32-bit destinations need it, because a
// variable of the host is not in that range.
//
// Thread-safety: any thread may call these functions.
#ifndef CILK2GPU_RUNTIME_PROCESS_RESULTSLOTS_H
#define CILK2GPU_RUNTIME_PROCESS_RESULTSLOTS_H

#include "core/Arena.h"
#include "process/HostEnvironment.h"

#include <pthread.h>

namespace cilk2gpu::rt {

class ResultSlots {
public:
  ResultSlots() : environment(hostEnvironment()), arena(environment, Arena::Memory::Frames) {}
  ResultSlots(const ResultSlots &) = delete;

  /// Returns storage that is aligned to kAlignment bytes; never null.
  void *allocate(uint64_t bytes) {
    pthread_mutex_lock(&mutex);
    void *slot = arena.allocate(bytes, kAlignment);
    pthread_mutex_unlock(&mutex);
    return slot;
  }
  void release(void *slot, uint64_t bytes) {
    pthread_mutex_lock(&mutex);
    arena.release(slot, bytes, kAlignment);
    pthread_mutex_unlock(&mutex);
  }

  /// Called around fork, like lockFrameRange().
  void lock() { pthread_mutex_lock(&mutex); }
  void unlock() { pthread_mutex_unlock(&mutex); }

private:
  static constexpr uint64_t kAlignment = 64; ///< that of the largest vectors (AVX-512)
  Environment environment;                   ///< without a budget: a few bytes for each call that waits
  Arena arena;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_RESULTSLOTS_H
