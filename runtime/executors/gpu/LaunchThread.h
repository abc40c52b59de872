// A thread that launches kernels, for drivers whose launches return only when the kernel has ended (Driver::blocking).
// The calling thread can then serve requests of the kernel's lanes. The thread is created for the first launch, and is
// kept.
//
//   thread.begin({driver.launch, function, blocks, threads, parameter});
//   for (Status status; !thread.hasEnded(status);)
//     serve();
//
// Thread-safety: one thread at a time calls begin(). It must not call the driver until the launch has ended.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_LAUNCHTHREAD_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_LAUNCHTHREAD_H

#include "executors/gpu/Driver.h"

#include <pthread.h>

namespace cilk2gpu::device {

/// A driver's launch and its arguments.
struct Launch {
  Status (*launch)(void *function, uint32_t blocks, uint32_t threads, void *parameter);
  void *function;
  uint32_t blocks, threads;
  void *parameter;

  Status operator()() const { return launch(function, blocks, threads, parameter); }
};

class LaunchThread {
public:
  explicit LaunchThread(const Driver &driver) : driver(driver) {}
  LaunchThread(const LaunchThread &) = delete;

  void begin(const Launch &launch);
  /// Returns whether the kernel has ended, or could not be launched. `status` is then the outcome.
  bool hasEnded(Status &status);

private:
  static void *main(void *self);
  Status run() const;

  const Driver &driver;
  pthread_t thread = {};
  bool isThere = false;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
  uint64_t begun = 0;  ///< number of the last launch; changed under the mutex
  uint64_t ended = 0;  ///< number of the last launch that has ended; the thread changes it under the mutex
  Launch next = {};    ///< belongs to the thread from begin() to the end
  Status outcome = {}; ///< belongs to the thread from begin() to the end
};

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_EXECUTORS_GPU_LAUNCHTHREAD_H
