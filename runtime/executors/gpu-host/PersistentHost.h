// The persistent kernel on the CPU (CILK2GPU_DEVICE=gpu-host, CILK2GPU_AGGREGATOR=persistent): one launch for a run of
// the graph. Its wavefronts run at the same time:
//
//   - The first wavefront, by its ticket, runs the aggregator.
//   - The others are workers. They wait at the aggregator's board (Board.h), and each dispatch gives lanes to all
//     workers. So a barrier takes the place of a launch.
//
// A wavefront is a thread here, and its lanes are fibers. If the system allows fewer threads, there are fewer workers,
// but at least one. No wavefront waits for a wavefront that does not run.
//
//   PersistentHost kernel(wave, seed, stackBytes, workers);
//   environment.device = kernel.hooks();
//   WorkerPool pool(limits, environment);
//   kernel.launch({run, &pool, &pool.memory()}); // the aggregator calls run(&pool)
//
// Thread-safety: one thread at a time calls launch(); the aggregator of the launch makes dispatches.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_HOST_PERSISTENTHOST_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_HOST_PERSISTENTHOST_H

#include "core/TaskTable.h"
#include "device/Board.h"
#include "executors/gpu-host/HostLanes.h"

#include <pthread.h>

namespace cilk2gpu::rt {
class Arena;
}

namespace cilk2gpu::device {

class PersistentHost {
public:
  /// `workers`: the most wavefronts beside the aggregator's wavefront. `wave`: lanes of each wavefront.
  PersistentHost(uint32_t wave, uint64_t seed, uint64_t stackBytes, uint32_t workers);
  ~PersistentHost();
  PersistentHost(const PersistentHost &) = delete;

  const rt::DeviceHooks *hooks() const { return &own; }

  struct Launch {
    void (*aggregate)(void *context); ///< the aggregator's function; it dispatches through hooks()
    void *context;
    rt::Arena *memory; ///< for tasks' storage of variable size
  };
  /// Returns when the aggregator has returned and all wavefronts have ended.
  void launch(const Launch &launch);

  /// Returns the number of workers of the next launch.
  uint32_t workers() const { return numWorkers; }
  uint32_t most() const { return capacity; }
  /// Sets the number of workers. Must not be called while a launch runs.
  void limit(uint32_t count) { numWorkers = count; }

  uint64_t launches() const { return __atomic_load_n(&numLaunches, __ATOMIC_RELAXED); } // for statistics
  uint64_t threads() const { return __atomic_load_n(&numThreads, __ATOMIC_RELAXED); }

  // Called around fork, in the forking thread. A child that is forked in a task has only that task's wavefront.
  void beforeFork() { pthread_mutex_lock(&memoryLock); }
  void afterFork() { pthread_mutex_unlock(&memoryLock); }
  void afterForkInChild();

private:
  struct Worker {
    Worker(PersistentHost &owner, uint64_t seed) : lanes(owner.wave, seed, owner.stackBytes) {}
    HostLanes lanes;
  };

  static void dispatch(void *self, const rt::TaskInfo &task, bool restarts, abi::Wave *wave);
  static void *wavefrontMain(void *self);
  void runAggregator();
  void runWorker(uint32_t number);
  uint32_t startWavefronts(pthread_t *threads, uint32_t count);

  const uint32_t wave;
  const uint64_t stackBytes;
  const uint32_t capacity;
  const rt::DeviceHooks own;
  Worker *all; ///< [capacity]
  Board board;
  uint32_t numWorkers;
  uint32_t present = 0; ///< workers of this launch; set before `started`
  Tickets tickets;      ///< of this launch
  Signal started;       ///< number of the last launch that has all its wavefronts
  uint32_t launchNumber = 0;
  Launch current = {};
  bool isRunning = false, lost = false;
  pthread_mutex_t memoryLock = PTHREAD_MUTEX_INITIALIZER;
  uint64_t numLaunches = 0, numThreads = 0;
};

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_EXECUTORS_GPU_HOST_PERSISTENTHOST_H
