// Threads that run blocks, and mapping functions. They are started when a launch needs them, and wait for the next
// launch.
//
//   blockWorkers().run(work, job, 4);   // work(job, 0) on this thread, work(job, 1) to (job, 3) on others
//
// The calling thread does not wait for threads that have not begun when its own call returns: such a call never
// happens.
//
// Thread-safety: one thread at a time calls run(): launches take turns. A child process starts threads of its own.
#ifndef CILK2GPU_RUNTIME_BLOCKS_BLOCKWORKERS_H
#define CILK2GPU_RUNTIME_BLOCKS_BLOCKWORKERS_H

#include "process/FloatModes.h"

#include <pthread.h>
#include <stdint.h>

namespace cilk2gpu::rt {

class BlockWorkers {
public:
  using Work = void (*)(void *job, uint32_t worker);

  /// Calls work(job, 0) on this thread, and work(job, 1) to work(job, count - 1) on other threads as they come. Each
  /// call is inside a TaskScope, and in the floating-point modes of the caller.
  void run(Work work, void *job, uint32_t count);

  /// Ends the process if it was forked while a launch ran: then other workers of the launch are lost.
  void checkNotLost() const;

private:
  struct Thread {
    BlockWorkers *workers;
    uint32_t index;
  };

  static void *threadMain(void *thread);
  static void afterForkInChild();
  void serve(uint32_t index);
  bool waitForJob(uint64_t &seen, uint32_t index);
  void startThreads(uint32_t count);

  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; ///< guards what follows
  pthread_cond_t jobs = PTHREAD_COND_INITIALIZER, ends = PTHREAD_COND_INITIALIZER;
  Work work = nullptr; ///< null: no job, or no thread may begin with it any more
  void *job = nullptr;
  uint32_t wanted = 0;     ///< workers of the job
  uint32_t active = 0;     ///< threads that are in the job
  uint32_t started = 1;    ///< workers that have threads, with worker 0
  uint64_t generation = 0; ///< number of jobs so far; threads that look for a job read it without the mutex
  FloatModes modes;        ///< of the caller
  bool handlesFork = false, hasFailed = false, isLost = false;
};

BlockWorkers &blockWorkers();

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_BLOCKWORKERS_H
