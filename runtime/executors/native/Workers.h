// The workers that run a graph. Worker 0 is whichever host thread calls run(); the others are threads of the pool.
//
// Each worker owns a scheduler: a private stack of channels. One that has nothing to do sleeps and counts as hungry; a
// busy one looks at that count between dispatches and gives a share of the pre-sync elements of its shallowest
// level that has some to spare. The given block stays counted at the giver's level until its whole subtree is done.
//
//   Unstarted --> Claimed --> Running <--> Idle          Idle: hungry, asleep
//     ^ |            ^   \--> Failed        |            Claimed: a giver writes into its scheduler
//     | v            +----------------------+            Failed: its thread could not be created
//   Barred                                               Barred: the program wants fewer workers
//
// Thread-safety: one thread at a time calls root() and run(); counters may be read by any thread. `mutex` guards
// states and wake-ups; a Claimed worker's scheduler belongs to the giver.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_NATIVE_WORKERS_H
#define CILK2GPU_RUNTIME_EXECUTORS_NATIVE_WORKERS_H

#include "core/Scheduler.h"
#include "core/Tunables.h"
#include "process/Fiber.h"
#include "process/FloatModes.h"
#include "process/TaskScope.h"

#include <pthread.h>

namespace cilk2gpu::rt {

class WorkerPool;

/// When blocks are given away, in nanoseconds; see core/Tunables.h.
struct Sharing {
  uint64_t startAfter = tunables::kStartThreadsAfter;
  uint64_t every = tunables::kGiveEvery;
  uint64_t smallEvery = tunables::kGiveSmallEvery;
};

struct alignas(64) Worker {
  enum class State { Unstarted, Idle, Claimed, Running, Failed, Barred };

  Worker(WorkerPool &pool, const Environment &environment, Limits limits)
      : pool(pool), environment(environment), scheduler(this->environment, limits) {}
  /// Has nothing to run for now, after a run from `start` on.
  void rest(uint64_t start);

  WorkerPool &pool;
  Environment environment; ///< constant but for a persistent kernel, which the worker's scheduler runs in
  Scheduler scheduler;
  uint64_t lastGave = 0;     ///< when this worker last gave a block away, or began to run
  uint64_t lastTried = 0;    ///< when it last looked for something to give
  uint64_t lastLooked = 0;   ///< at the clock
  uint32_t skips = 0;        ///< dispatches during which it need not look again
  uint32_t skippedRests = 0; ///< of short runs, since their stack was looked at
  Fiber *elisions = nullptr; ///< whose stack serial elisions run on; null: none was needed, or had
  bool hasElided = false;    ///< since it rested last

  State state = State::Unstarted;
  bool started = false; ///< has a thread
  bool waiting = false; ///< of an Idle one: inside a run, for stolen blocks
  uint64_t accepts = 0; ///< of an Idle one: shallowest level of a block it takes
  uint64_t granted = 0; ///< of a Claimed one: level of the block it got
  pthread_t thread = {};
  pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
};

class WorkerPool {
public:
  /// `budget`, if not null, is for the memory of all workers together; `device`, if not null, runs the kernels. Both
  /// outlive the pool.
  WorkerPool(Limits limits, uint32_t workers, Sharing sharing = {}, MemoryBudget *budget = nullptr,
             const DeviceHooks *device = nullptr);
  /// Of one worker, which is in the environment's memory as all that is its.
  WorkerPool(Limits limits, const Environment &environment);
  ~WorkerPool();
  WorkerPool(const WorkerPool &) = delete;

  /// See Scheduler::root.
  abi::Cursor *root(const TaskInfo *task) { return workers[0].scheduler.root(task); }

  /// Of tasks' storage of variable size, if there is one worker.
  Arena &memory() { return workers[0].scheduler.memory(); }

  /// Runs the graph until it is empty. Threads are started when it takes long enough.
  void run() {
    run([this](Worker &first) { first.scheduler.run(0, numWorkers > 1 ? sharing.startAfter : 0); });
  }
  /// The same, where something else runs the first worker's scheduler: runScheduler(worker).
  template <typename Run> void run(Run runScheduler) {
    TaskScope inside(workers[0].scheduler);
    uint64_t start = beginRun();
    runScheduler(workers[0]);
    endRun(start);
  }

  uint32_t size() const { return numWorkers; }

  /// Lets the first `count` workers run only, and all of these; false if other threads have been started.
  bool limit(uint32_t count);
  /// How many may run.
  uint32_t available() const { return __atomic_load_n(&numAvailable, __ATOMIC_RELAXED); } // says nothing about others

  /// All workers' counters.
  Counters counters(const TaskTable &tasks) const;
  /// See Scheduler::progress; of all workers.
  uint64_t progress() const;
  /// Writes what each worker does.
  void report(void (*line)(void *context, const char *text), void *context);
  /// See Scheduler::memoryBound; of all workers. While nothing runs.
  uint64_t memoryBound() const;
  /// Adds all workers' counters of one kernel.
  KernelCounters kernelCounters(const TaskInfo &task, uint32_t kernel) const;
  /// Counters kept by the thread that calls run().
  Counters &hostCounters() { return workers[0].scheduler.hostCounters(); }

  /// Around fork, in the forking thread.
  void beforeFork();
  void afterForkInParent();
  /// The child has no workers but its own thread. They are started again when needed; if some were running (the child
  /// was forked inside a task), what they had to do is lost, and a run that needs it ends with a message.
  void afterForkInChild();

private:
  static void share(void *context, Scheduler &scheduler);
  static void await(void *context, Scheduler &scheduler, uint64_t level);
  static void repay(void *context, Scheduler &creditor, uint32_t *stolen);
  static bool callElided(void *context, abi::KernelFn run, abi::Wave *wave);
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
  const Environment home; ///< whose memory the workers are in
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  bool quit = false;
  bool hasFailed = false;          ///< a thread could not be created, and that was said
  bool lost = false;               ///< see afterForkInChild
  uint64_t threadsStarted = 0;     ///< written under the mutex
  uint64_t runningSince = 0;       ///< when run() began; 0: not running
  FloatModes modes;                ///< of the thread that called run()
  alignas(64) uint32_t hungry = 0; ///< number of Idle and Unstarted workers; written under the mutex
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_NATIVE_WORKERS_H
