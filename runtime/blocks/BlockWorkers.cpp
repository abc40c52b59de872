// See BlockWorkers.h.
#include "blocks/BlockWorkers.h"
#include "blocks/Pause.h"
#include "core/Arena.h"
#include "core/Tunables.h"
#include "process/HostEnvironment.h"
#include "process/Lock.h"
#include "process/Message.h"
#include "process/TaskScope.h"
#include "process/Threads.h"

#include <errno.h>
#include <new>
#include <stdlib.h>
#include <string.h>

namespace cilk2gpu::rt {

alignas(BlockWorkers) static unsigned char storage[sizeof(BlockWorkers)];

/// They are never destroyed: threads may still wait when the process ends.
BlockWorkers &blockWorkers() {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, [] { new (storage) BlockWorkers; });
  return *std::launder(reinterpret_cast<BlockWorkers *>(storage));
}

/// Calls work(job, worker) as a task does: Cilk functions that it calls run as their elisions.
static void callInScope(BlockWorkers::Work work, void *job, uint32_t worker) {
  const Environment environment = hostEnvironment();
  Arena arena(environment);
  {
    TaskScope inside(arena);
    work(job, worker);
  }
  arena.destroy();
}

void BlockWorkers::afterForkInChild() {
  BlockWorkers &workers = blockWorkers();
  bool wasRunning = workers.active != 0 || workers.work;
  new (&workers) BlockWorkers;
  workers.handlesFork = true;
  workers.isLost = wasRunning;
}

void BlockWorkers::checkNotLost() const {
  if (isLost && insideTask())
    fatal("this process was forked in a block while other workers ran; it can exec or exit, but not go on with the "
          "launch");
}

/// Waits until there is a job for the worker. `seen` is the last job that it knows. Called with the mutex held.
bool BlockWorkers::waitForJob(uint64_t &seen, uint32_t index) {
  for (bool looked = false; !work || generation == seen || index >= wanted; looked = true) {
    seen = generation;
    if (looked) {
      pthread_cond_wait(&jobs, &mutex);
      continue;
    }
    pthread_mutex_unlock(&mutex);
    uint64_t until = hostClock() + tunables::kLookOutFor;
    while (__atomic_load_n(&generation, __ATOMIC_RELAXED) == seen && hostClock() < until) // looked at again below
      pauseProcessor();
    pthread_mutex_lock(&mutex);
  }
  seen = generation;
  return true;
}

void BlockWorkers::serve(uint32_t index) {
  uint64_t seen = 0;
  Lock lock(mutex);
  while (waitForJob(seen, index)) {
    ++active;
    Work own = work;
    void *ownJob = job;
    modes.load();
    pthread_mutex_unlock(&mutex);
    callInScope(own, ownJob, index);
    pthread_mutex_lock(&mutex);
    if (--active == 0)
      pthread_cond_signal(&ends);
  }
}

void *BlockWorkers::threadMain(void *argument) {
  Thread thread = *static_cast<Thread *>(argument);
  free(argument);
  thread.workers->serve(thread.index);
  return nullptr;
}

/// Starts threads for workers below `count`; the mutex is held. Where that fails, a launch has fewer workers.
void BlockWorkers::startThreads(uint32_t count) {
  if (!handlesFork && count > 1)
    handlesFork = pthread_atfork(nullptr, nullptr, afterForkInChild) == 0;
  while (started < count && !hasFailed) {
    auto *thread = static_cast<Thread *>(malloc(sizeof(Thread)));
    pthread_t handle;
    int error = thread ? 0 : ENOMEM;
    if (thread) {
      *thread = {.workers = this, .index = started};
      error = createTaskThread(handle, threadMain, thread);
    }
    if (error) {
      warning("a worker thread for blocks could not be created (%s); launches go on with fewer (see CILK2GPU_WORKERS)",
              strerror(error));
      free(thread);
      hasFailed = true;
      return;
    }
    pthread_detach(handle);
    ++started;
  }
}

void BlockWorkers::run(Work ownWork, void *ownJob, uint32_t count) {
  if (count > 1) {
    Lock lock(mutex);
    startThreads(count);
    work = ownWork;
    job = ownJob;
    wanted = count;
    modes = FloatModes::current();
    __atomic_store_n(&generation, generation + 1, __ATOMIC_RELAXED); // waitForJob() looks at it, for a hint
    pthread_cond_broadcast(&jobs);
  }
  callInScope(ownWork, ownJob, 0);
  if (count == 1)
    return;
  Lock lock(mutex);
  work = nullptr;
  while (active)
    pthread_cond_wait(&ends, &mutex);
}

} // namespace cilk2gpu::rt
