// Holds a mutex of pthreads for the life of an object. The runtime does not link the C++ library, so it has no
// std::lock_guard.
//
// Thread-safety: that of pthread_mutex_lock.
#ifndef CILK2GPU_RUNTIME_PROCESS_LOCK_H
#define CILK2GPU_RUNTIME_PROCESS_LOCK_H

#include <pthread.h>

namespace cilk2gpu::rt {

class Lock {
public:
  explicit Lock(pthread_mutex_t &mutex) : mutex(mutex) { pthread_mutex_lock(&mutex); }
  ~Lock() { pthread_mutex_unlock(&mutex); }
  Lock(const Lock &) = delete;

private:
  pthread_mutex_t &mutex;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_LOCK_H
