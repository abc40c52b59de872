// The workers that run a graph. Worker 0 is the host thread that calls run(); the others are threads of the pool.
//
// Each worker owns a scheduler with a private stack of channels. A worker without work sleeps and counts as hungry.
// Between dispatches, a busy worker reads the number of hungry workers. If it is not zero, the worker gives away some
// pre-sync elements of its shallowest level that has enough of them. Such a block stays counted at the giver's level
// until its whole subtree is done.
//
//   Unstarted --> Claimed --> Running <--> Idle          Idle: hungry, asleep
//     ^ |            ^   \--> Failed        |            Claimed: a giver writes into its scheduler
//     | v            +----------------------+            Failed: its thread could not be created
//   Barred                                               Barred: the program wants fewer workers
//
// Thread-safety: one thread at a time calls root() and run(). Any thread may read counters. `mutex` guards states and
// wake-ups. The scheduler of a Claimed worker belongs to the giver.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_NATIVE_WORKERS_H
#define CILK2GPU_RUNTIME_EXECUTORS_NATIVE_WORKERS_H

#include "core/Scheduler.h"
#include "core/Tunables.h"
#include "process/Fiber.h"
#include "process/FloatModes.h"
#include "process/TaskScope.h"
#include "process/Ticks.h"

#include <pthread.h>

namespace cilk2gpu::rt {

class WorkerPool;

/// Times that decide when blocks are given away, in nanoseconds. core/Tunables.h has the reasons.
struct Sharing {
  uint64_t startAfter = tunables::kStartThreadsAfter;
  uint64_t every = tunables::kGiveEvery;
  uint64_t smallEvery = tunables::kGiveSmallEvery;
};

struct alignas(64) Worker {
  enum class State { Unstarted, Idle, Claimed, Running, Failed, Barred };

  Worker(WorkerPool &pool, const Environment &environment, Limits limits)
      : pool(pool), environment(environment), scheduler(this->environment, limits) {}
  /// Gives back memory that elisions took. Called when the worker has no work, after a run that began at `start`.
  void rest(uint64_t start);

  WorkerPool &pool;
  Environment environment; ///< constant, except while a persistent kernel runs the worker's scheduler
  Scheduler scheduler;
  uint64_t lastGave = 0;     ///< time at which this worker last gave a block away, or began to run
  uint64_t lastTried = 0;    ///< time at which it last looked for a block to give away
  uint64_t lastLooked = 0;   ///< time at which it last read the clock
  uint32_t skips = 0;        ///< dispatches before it reads the clock again
  uint32_t skippedRests = 0; ///< short runs since rest() last examined the stack of elisions
  Fiber *elisions = nullptr; ///< fiber whose stack serial elisions use; null: not needed so far, or no memory
  bool hasElided = false;    ///< an elision ran since the last rest()

  State state = State::Unstarted;
  bool started = false; ///< the worker has a thread
  bool waiting = false; ///< Idle: waits, inside a run, for blocks that other workers took
  uint64_t accepts = 0; ///< Idle: the shallowest level of a block that it takes
  uint64_t granted = 0; ///< Claimed: the level of the block that it got
  pthread_t thread = {};
  pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
};

class WorkerPool {
public:
  /// `budget` limits the memory of all workers together; null: no limit. `device` runs the kernels; null: the workers
  /// run them. Both outlive the pool.
  WorkerPool(Limits limits, uint32_t workers, Sharing sharing = {}, MemoryBudget *budget = nullptr,
             const DeviceHooks *device = nullptr);
  /// Makes a pool of one worker. The worker, its scheduler and all their memory are in memory of the environment.
  WorkerPool(Limits limits, const Environment &environment);
  ~WorkerPool();
  WorkerPool(const WorkerPool &) = delete;

  /// See Scheduler::root.
  abi::Cursor *root(const TaskInfo *task) { return workers[0].scheduler.root(task); }

  /// Returns the arena for storage of variable size in tasks. The pool must have one worker.
  Arena &memory() { return workers[0].scheduler.memory(); }

  /// Runs the graph until it is empty. Starts threads when the run takes long enough.
  void run() {
    run([this](Worker &first) { first.scheduler.run(0, numWorkers > 1 ? sharing.startAfter : 0); });
  }
  /// Runs the graph until it is empty. runScheduler(worker) runs the first worker's scheduler.
  template <typename Run> void run(Run runScheduler) {
    TaskScope inside(workers[0].scheduler);
    uint64_t start = beginRun();
    runScheduler(workers[0]);
    endRun(start);
  }

  uint32_t size() const { return numWorkers; }

  /// Lets only the first `count` workers run. Returns false if the pool has started threads already.
  bool limit(uint32_t count);
  /// Returns the number of workers that may run.
  uint32_t available() const { return __atomic_load_n(&numAvailable, __ATOMIC_RELAXED); } // relaxed: the number says
                                                                                          // nothing about other memory

  /// Returns the counters of all workers together. They have bounds of memory if the graph cannot be running.
  Counters counters(const TaskTable &tasks, bool mayRun = false) const;
  /// Returns the sum of Scheduler::progress() over the workers.
  uint64_t progress() const;
  /// Writes a line about each worker: the kernel that it runs, or the blocks that it waits for.
  void report(void (*line)(void *context, const char *text), void *context);
  /// Adds Scheduler::memoryBounds() of all workers. Must be called between runs.
  void addMemoryBounds(Counters &counters) const;
  /// Returns the sum of the workers' counters of one kernel.
  KernelCounters kernelCounters(const TaskInfo &task, uint32_t kernel) const;
  /// Returns the counters that the caller of run() counts itself.
  Counters &hostCounters() { return workers[0].scheduler.hostCounters(); }

  /// Called around fork, in the forking thread.
  void beforeFork();
  void afterForkInParent();
  /// In the child, only the forking thread is a worker. Other workers are started again when they are needed. If the
  /// process was forked inside a task, the work of running workers is lost, and a run that needs it ends with a
  /// message.
  void afterForkInChild();

private:
  static void share(void *context, Scheduler &scheduler);
  static void await(void *context, Scheduler &scheduler, uint64_t level);
  static void repay(void *context, Scheduler &creditor, uint32_t *stolen);
  static bool callElided(void *context, abi::KernelFn run, abi::Wave *wave);
  static bool runInPlace(void *context, abi::KernelFn run, abi::Wave *wave, InPlaceCalls &calls);
  static void *threadMain(void *worker);

  uint64_t beginRun();
  void endRun(uint64_t start);
  bool mayGive(Worker &giver, uint64_t &now);
  Worker *claim(uint64_t level);
  void lookOut(Worker &worker, uint64_t level);
  bool startThread(Worker &worker);
  void grant(Worker &worker, uint64_t level);
  void setIdle(Worker &worker, bool waiting, uint64_t accepts);
  void setState(Worker &worker, Worker::State state);
  void checkNotLost() const;

  Worker *workers = nullptr; ///< [numWorkers]
  uint32_t numWorkers;
  uint32_t numAvailable; ///< written under the mutex
  const Sharing sharing;
  const TickRate rate;
  const Environment home; ///< environment with the memory of the workers
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  bool quit = false;
  bool hasFailed = false;          ///< a thread could not be created, and a message was written
  bool lost = false;               ///< see afterForkInChild
  uint64_t threadsStarted = 0;     ///< written under the mutex
  uint64_t runningSince = 0;       ///< time at which run() began; 0: not running
  FloatModes modes;                ///< the modes of the thread that called run()
  alignas(64) uint32_t hungry = 0; ///< number of Idle and Unstarted workers; written under the mutex
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_NATIVE_WORKERS_H
