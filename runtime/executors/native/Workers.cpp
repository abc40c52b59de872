// A worker never sleeps while it has work: it sleeps only in the state Idle. Two events end that state, a grant of a
// block and the repayment of its last stolen block. Both wake the worker under the mutex. Before it sleeps, it looks
// for these events for a while, because sleeping and waking take as long.
#include "executors/native/Workers.h"
#include "executors/native/DebuggerFacts.h"
#include "executors/native/ElisionStack.h"
#include "process/HostEnvironment.h"
#include "process/HostSteps.h"
#include "process/InPlace.h"
#include "process/Lock.h"
#include "process/MachineMemory.h"
#include "process/Message.h"
#include "process/Threads.h"

#include <new>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace cilk2gpu::rt {

using State = Worker::State;

static void showToDebuggers(const Worker *workers, uint64_t count) {
  __cilk2gpu_debugged_workers.workers = workers;
  __cilk2gpu_debugged_workers.count = count;
}

WorkerPool::WorkerPool(Limits limits, uint32_t count, Sharing sharing, MemoryBudget *budget, const DeviceHooks *device)
    : numWorkers(count), numAvailable(count), sharing(sharing), home(hostEnvironment()) {
  void *memory = home.allocate(home.context, count * sizeof(Worker), alignof(Worker));
  if (!memory)
    fatal("out of memory: %zu bytes for %u workers could not be allocated", count * sizeof(Worker), count);
  workers = static_cast<Worker *>(memory);
  for (uint32_t i = 0; i < count; ++i) {
    Environment environment = hostEnvironment();
    environment.context = &workers[i];
    environment.hungry = count > 1 ? &hungry : nullptr; // a single worker does not share work
    environment.nap = hostNap;
    environment.share = share;
    environment.await = await;
    environment.repay = repay;
    environment.callElided = callElided;
    environment.runInPlace = runInPlace;
    environment.budget = budget;
    environment.device = device;
    environment.steps = device ? nullptr : hostSteps();
    Limits own = limits;
    own.seed += i;
    new (&workers[i]) Worker(*this, environment, own);
  }
  workers[0].state = State::Running;
  hungry = count - 1;
  showToDebuggers(workers, numWorkers);
}

WorkerPool::WorkerPool(Limits limits, const Environment &environment)
    : numWorkers(1), numAvailable(1), sharing{}, home(environment) {
  void *memory = environment.allocate(environment.context, sizeof(Worker), alignof(Worker));
  if (!memory)
    fatal("out of memory: %zu bytes for a worker could not be allocated", sizeof(Worker));
  workers = new (memory) Worker(*this, environment, limits);
  workers[0].state = State::Running;
  showToDebuggers(workers, numWorkers);
}

WorkerPool::~WorkerPool() {
  {
    Lock lock(mutex);
    quit = true;
    for (uint32_t i = 1; i < numWorkers; ++i)
      pthread_cond_signal(&workers[i].wake);
  }
  for (uint32_t i = 0; i < numWorkers; ++i) {
    if (workers[i].started)
      pthread_join(workers[i].thread, nullptr);
    workers[i].scheduler.destroy();
    if (workers[i].elisions)
      workers[i].elisions->destroy();
    workers[i].~Worker();
  }
  if (__cilk2gpu_debugged_workers.workers == workers)
    showToDebuggers(nullptr, 0);
  home.release(home.context, workers, numWorkers * sizeof(Worker), alignof(Worker));
}

uint64_t WorkerPool::beginRun() {
  modes = FloatModes::current();
  uint64_t start = hostClock();
  __atomic_store_n(&runningSince, start, __ATOMIC_RELAXED);
  workers[0].lastGave = workers[0].lastTried = start;
  return start;
}

/// Gives back the memory of a deep elision.
void Worker::rest(uint64_t start) {
  if (!hasElided)
    return;
  uint64_t took = hostClock() - start;
  if (took < tunables::kLongElidedRun && ++skippedRests < tunables::kMostSkippedRests)
    return;
  elisions->giveBack(/*thorough=*/took > tunables::kLongElidedRun);
  hasElided = false;
  skippedRests = 0;
}

void WorkerPool::endRun(uint64_t start) {
  workers[0].rest(start);
  __atomic_store_n(&runningSince, 0, __ATOMIC_RELAXED);
  count(hostCounters().execute_time, hostClock() - start);
  count(hostCounters().executes, 1);
}

/// Changes a worker's state and the number of hungry workers. The mutex must be held.
void WorkerPool::setState(Worker &worker, State state) {
  auto isHungry = [](State s) { return s == State::Unstarted || s == State::Idle; };
  uint32_t now = hungry - isHungry(worker.state) + isHungry(state);
  __atomic_store(&worker.state, &state, __ATOMIC_RELAXED); // relaxed: lookOut() uses it only as a hint
  __atomic_store_n(&hungry, now, __ATOMIC_RELAXED);        // relaxed: only a hint, because states are read under the
                                                           // mutex
}

void WorkerPool::setIdle(Worker &worker, bool waiting, uint64_t accepts) {
  worker.waiting = waiting;
  worker.accepts = accepts;
  setState(worker, State::Idle);
}

void WorkerPool::checkNotLost() const {
  if (lost)
    fatal("this process was forked inside a task while other workers ran; it can exec or exit, but not go on with the "
          "graph");
}

bool WorkerPool::limit(uint32_t count) {
  Lock lock(mutex);
  if (threadsStarted)
    return false;
  for (uint32_t i = 1; i < numWorkers; ++i)
    setState(workers[i], i < count ? State::Unstarted : State::Barred);
  __atomic_store_n(&numAvailable, count, __ATOMIC_RELAXED);
  return true;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Giving
//===--------------------------------------------------------------------------------------------------------------===//

/// Returns whether it is time to look for work to give away. Reading the clock takes as long as a short dispatch, so it
/// is not read each time.
bool WorkerPool::mayGive(Worker &giver, uint64_t &now) {
  if (giver.skips) {
    --giver.skips;
    return false;
  }
  now = hostClock();
  if (now - read(runningSince) < sharing.startAfter)
    return false;
  if (now - giver.lastLooked < tunables::kShortDispatches)
    giver.skips = tunables::kSkippedDispatches;
  giver.lastLooked = now;
  return now - giver.lastTried >= sharing.every;
}

void WorkerPool::share(void *context, Scheduler &scheduler) {
  Worker &giver = *static_cast<Worker *>(context);
  WorkerPool &pool = giver.pool;
  uint64_t now = 0;
  bool isTime = pool.mayGive(giver, now), small = isTime && now - giver.lastGave >= pool.sharing.smallEvery;
  if (isTime)
    giver.lastTried = now;
  // Each hungry worker gets as large a share as the giver keeps, because tasks may be few and long.
  while (uint32_t others = __atomic_load_n(&pool.hungry, __ATOMIC_RELAXED)) {
    Stealing::Surplus surplus = isTime ? scheduler.stealing().find(small, others + 1) : Stealing::Surplus();
    if (!surplus.from)
      surplus = scheduler.stealing().findLong(others + 1);
    Worker *receiver = surplus.from && scheduler.stealing().canGive(surplus) ? pool.claim(surplus.level) : nullptr;
    if (!receiver)
      return;
    giver.lastGave = isTime ? now : hostClock();
    scheduler.stealing().give(surplus, receiver->scheduler.stealing());
    pool.grant(*receiver, surplus.level);
  }
}

/// Claims a hungry worker that accepts a block of `level`, if possible a worker whose thread exists. Returns null if
/// there is no such worker.
Worker *WorkerPool::claim(uint64_t level) {
  Lock lock(mutex);
  Worker *fresh = nullptr;
  for (uint32_t i = 0; i < numWorkers; ++i) {
    Worker &worker = workers[i];
    if (worker.state == State::Idle && worker.accepts <= level) {
      setState(worker, State::Claimed);
      return &worker;
    }
    if (worker.state == State::Unstarted && !fresh)
      fresh = &worker;
  }
  if (!fresh || !startThread(*fresh))
    return nullptr;
  setState(*fresh, State::Claimed);
  return fresh;
}

void WorkerPool::grant(Worker &worker, uint64_t level) {
  Lock lock(mutex);
  worker.granted = level;
  setState(worker, State::Running);
  pthread_cond_signal(&worker.wake);
}

/// Creates the thread of a worker. The mutex must be held. If this fails, the graph runs on with fewer workers.
bool WorkerPool::startThread(Worker &worker) {
  int error = createTaskThread(worker.thread, threadMain, &worker);
  if (error) {
    if (!hasFailed)
      warning("a worker thread could not be created (%s); the run goes on with fewer workers (see CILK2GPU_WORKERS)",
              strerror(error));
    hasFailed = true;
    setState(worker, State::Failed);
    return false;
  }
  worker.started = true;
  count(threadsStarted, 1);
  return true;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Waiting
//===--------------------------------------------------------------------------------------------------------------===//

static void pauseProcessor() {
#ifdef __x86_64__
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/// Releases the mutex and waits without sleeping, at most for tunables::kLookOutFor. Returns earlier if the worker runs
/// again, or if the last block that was stolen from `level` of its scheduler is done.
void WorkerPool::lookOut(Worker &worker, uint64_t level) {
  pthread_mutex_unlock(&mutex);
  uint64_t until = hostClock() + tunables::kLookOutFor;
  State now;
  do {
    for (uint32_t i = 0; i < 32; ++i)
      pauseProcessor();
    __atomic_load(&worker.state, &now, __ATOMIC_RELAXED);
  } while (now != State::Running && !(worker.waiting && !worker.scheduler.stealing().stolen(level)) &&
           hostClock() < until);
  pthread_mutex_lock(&mutex);
}

void *WorkerPool::threadMain(void *argument) {
  Worker &worker = *static_cast<Worker *>(argument);
  WorkerPool &pool = worker.pool;
  TaskScope inside(worker.scheduler, uint32_t(&worker - pool.workers));
  for (;;) {
    uint64_t level;
    {
      Lock lock(pool.mutex);
      for (bool looked = false; worker.state != State::Running && !pool.quit; looked = true)
        looked ? void(pthread_cond_wait(&worker.wake, &pool.mutex)) : pool.lookOut(worker, 0);
      if (pool.quit)
        return nullptr;
      level = worker.granted;
    }
    uint64_t start = worker.lastGave = worker.lastTried = hostClock();
    pool.modes.load();
    worker.scheduler.run(level);
    worker.rest(start);
    Lock lock(pool.mutex);
    pool.checkNotLost();
    pool.setIdle(worker, false, 0);
  }
}

void WorkerPool::await(void *context, Scheduler &scheduler, uint64_t level) {
  Worker &worker = *static_cast<Worker *>(context);
  WorkerPool &pool = worker.pool;
  Lock lock(pool.mutex);
  if (!scheduler.stealing().stolen(level))
    return;
  pool.checkNotLost();
  pool.setIdle(worker, true, level + 1);
  for (bool looked = false;
       worker.state == State::Claimed || (worker.state == State::Idle && scheduler.stealing().stolen(level));
       looked = true)
    looked ? void(pthread_cond_wait(&worker.wake, &pool.mutex)) : pool.lookOut(worker, level);
  pool.setState(worker, State::Running);
}

void WorkerPool::repay(void *context, Scheduler &creditor, uint32_t *stolen) {
  WorkerPool &pool = static_cast<Worker *>(context)->pool;
  Worker &waiter = *static_cast<Worker *>(creditor.context());
  Lock lock(pool.mutex);
  // Release: pairs with Stealing::stolen, because the creditor may read the count without the mutex.
  if (__atomic_sub_fetch(stolen, 1, __ATOMIC_RELEASE) == 0 && waiter.state == State::Idle)
    pthread_cond_signal(&waiter.wake);
}

/// Calls elisions on the worker's stack for them. The stack may take as much memory as a graph. If the process has too
/// few addresses for that, the stack is smaller. If all tasks run as elisions, it is smaller, too: an endless recursion
/// would otherwise take most of the machine's memory before it ends.
bool WorkerPool::callElided(void *context, abi::KernelFn run, abi::Wave *wave) {
  Worker &worker = *static_cast<Worker *>(context);
  if (!worker.elisions) {
    uint64_t most = worker.scheduler.elidesAll() ? 0 : machineMemory() / 4 * tunables::kMachineMemoryQuarters;
    worker.elisions = Fiber::create(most > tunables::kElidedStack ? most : tunables::kElidedStack);
    if (!worker.elisions)
      worker.elisions = Fiber::create(tunables::kElidedStack);
  }
  if (!worker.elisions)
    return false;
  worker.hasElided = true;
  struct Call {
    abi::KernelFn run;
    abi::Wave *wave;
  } call = {run, wave};
  ElisionStack stack(*worker.elisions, worker.scheduler);
  StackScope scope(stack);
  worker.elisions->run([](void *argument) { static_cast<Call *>(argument)->run(static_cast<Call *>(argument)->wave); },
                       &call);
  return true;
}

bool WorkerPool::runInPlace(void *context, abi::KernelFn run, abi::Wave *wave, InPlaceCalls &calls) {
  InPlaceScope scope(static_cast<Worker *>(context)->pool.rate.ticksIn(tunables::kSlowTask));
  if (!callElided(context, run, wave))
    return false;
  calls = scope.calls();
  return true;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Fork
//===--------------------------------------------------------------------------------------------------------------===//

void WorkerPool::beforeFork() { pthread_mutex_lock(&mutex); }

void WorkerPool::afterForkInParent() { pthread_mutex_unlock(&mutex); }

void WorkerPool::afterForkInChild() {
  // This thread holds the mutex, as in the parent.
  for (uint32_t i = 0; i < numWorkers; ++i) {
    Worker &worker = workers[i];
    pthread_cond_init(&worker.wake, nullptr);
    if (worker.started && pthread_equal(worker.thread, pthread_self())) {
      lost = true; // another thread runs the graph as worker 0, and the child does not have this thread
      continue;
    }
    if (i == 0 || worker.state == State::Unstarted || worker.state == State::Failed || worker.state == State::Barred)
      continue;
    // Between runs no worker has work, even if its state is not Idle yet. Inside a task, only workers that are Idle and
    // do not wait for blocks have no work. The work of the others is lost.
    if (insideTask() && (worker.state != State::Idle || worker.waiting)) {
      lost = true;
      continue;
    }
    worker.scheduler.rest();
    worker.started = false;
    setState(worker, State::Unstarted);
  }
  pthread_mutex_unlock(&mutex);
}

//===--------------------------------------------------------------------------------------------------------------===//
// Counters
//===--------------------------------------------------------------------------------------------------------------===//

Counters WorkerPool::counters(const TaskTable &tasks, bool mayRun) const {
  Counters result;
  for (uint32_t i = 0; i < numWorkers; ++i)
    result.combine(workers[i].scheduler.counters(tasks));
  result.threads = read(threadsStarted);
  if (uint64_t start = read(runningSince))
    result.execute_time += hostClock() - start;
  else if (!mayRun)
    addMemoryBounds(result);
  return result;
}

uint64_t WorkerPool::progress() const {
  uint64_t result = 0;
  for (uint32_t i = 0; i < numWorkers; ++i)
    result += workers[i].scheduler.progress();
  return result;
}

void WorkerPool::report(void (*line)(void *context, const char *text), void *context) {
  Lock lock(mutex);
  for (uint32_t i = 0; i < numWorkers; ++i) {
    const Worker &worker = workers[i];
    char text[256];
    auto level = static_cast<unsigned long long>(worker.scheduler.runningLevel());
    if (const char *kernel = worker.scheduler.runningKernel())
      snprintf(text, sizeof text, "  worker %u: runs '%s' at level %llu", i, kernel, level);
    else if (worker.state == State::Idle && worker.waiting)
      snprintf(text, sizeof text, "  worker %u: waits at level %llu for blocks that others took", i, level);
    else
      snprintf(text, sizeof text, "  worker %u: %s", i,
               worker.state == State::Running ? "schedules" : "has nothing to do");
    line(context, text);
  }
}

void WorkerPool::addMemoryBounds(Counters &counters) const {
  for (uint32_t i = 0; i < numWorkers; ++i) {
    MemoryBounds bounds = workers[i].scheduler.memoryBounds();
    counters.memory_bound += bounds.bound;
    counters.memory_limit += bounds.limit;
  }
}

KernelCounters WorkerPool::kernelCounters(const TaskInfo &task, uint32_t kernel) const {
  KernelCounters result;
  for (uint32_t i = 0; i < numWorkers; ++i) {
    const KernelCounters *kernels = workers[i].scheduler.kernelCounters(task);
    if (!kernels)
      continue;
    result.lanes += read(kernels[kernel].lanes);
    result.vectorLanes += read(kernels[kernel].vectorLanes);
    result.wavefronts += read(kernels[kernel].wavefronts);
    result.restartedLanes += read(kernels[kernel].restartedLanes);
    result.restartedWavefronts += read(kernels[kernel].restartedWavefronts);
  }
  return result;
}

} // namespace cilk2gpu::rt
