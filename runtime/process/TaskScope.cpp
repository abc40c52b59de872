// See TaskScope.h.
#include "process/TaskScope.h"
#include "core/Scheduler.h"
#include "core/Tunables.h"
#include "process/Loops.h"
#include "process/Settings.h"

constinit thread_local uint32_t __cilk2gpu_inside_tasks = 0;
constinit thread_local cilk2gpu::abi::KeptLookups __cilk2gpu_kept_lookups = {};

// Not beside the functions of reducers, which the library of the race detector replaces.
uint32_t __cilk2gpu_reducers_used = 0;

namespace cilk2gpu::rt {

static thread_local Arena *current = nullptr;
static thread_local pthread_mutex_t *arenaLock = nullptr;  ///< guards `current`; null: only this thread uses it
static thread_local const Scheduler *scheduling = nullptr; ///< scheduler whose kernel runs; null: no kernel runs, or
                                                           ///< the machine is modelled
static thread_local uint32_t workerNumber = 0;
constinit thread_local void *currentStrand = nullptr;

void forgetLookups() {
  if (!__cilk2gpu_kept_lookups.isUsed)
    return;
  for (void *&key : __cilk2gpu_kept_lookups.keys)
    key = nullptr;
  __cilk2gpu_kept_lookups.isUsed = 0;
}

void setThreadStrand(void *strand) {
  forgetLookups();
  currentStrand = strand;
}

uint32_t currentWorker() { return workerNumber; }

/// Longer tasks cost less, as long as there are enough for other workers.
int64_t leastGrain(uint64_t count, int64_t least) {
  constexpr uint64_t kLonger = 64, kFewestTasks = 64;
  uint64_t few = uint64_t(least);
  if (!scheduling || few >= UINT64_MAX / kLonger / 2)
    return least;
  uint64_t most = scheduling->hasOthers() ? count / kFewestTasks : count;
  uint64_t longer = few * kLonger < most ? few * kLonger : most;
  return int64_t(longer > few ? longer : few);
}

/// Tiles of a random schedule, and of tasks that are never elisions, shall show missing dependences.
uint64_t doacrossWorkers() {
  if (!scheduling)
    return __cilk2gpu_inside_tasks ? 0 : 1;
  if (settings().schedule == Schedule::Random || settings().limits.elide == Elide::Never || settings().stepsGiven)
    return 0;
  return scheduling->hasOthers() && scheduling->loopTasks() > 1 ? settings().workers : 1;
}

uint64_t loopTasks() { return scheduling ? scheduling->loopTasks() : tunables::kLoopTasks; }

TaskScope::TaskScope(Arena &arena)
    : outer(current), outerLock(arenaLock), outerScheduler(scheduling), outerStrand(currentStrand) {
  ++__cilk2gpu_inside_tasks;
  current = &arena;
  arenaLock = nullptr;
  scheduling = nullptr;
  setThreadStrand(nullptr);
}

TaskScope::TaskScope(Scheduler &scheduler) : TaskScope(scheduler.memory()) { scheduling = &scheduler; }

TaskScope::TaskScope(Scheduler &scheduler, uint32_t worker) : TaskScope(scheduler) { workerNumber = worker; }

TaskScope::TaskScope(Arena &arena, pthread_mutex_t &lock, uint32_t worker) : TaskScope(arena) {
  arenaLock = &lock;
  workerNumber = worker;
}

TaskScope::~TaskScope() {
  --__cilk2gpu_inside_tasks;
  current = outer;
  arenaLock = outerLock;
  scheduling = outerScheduler;
  setThreadStrand(outerStrand);
}

TaskArenaLock::TaskArenaLock() : lock(arenaLock) {
  if (lock)
    pthread_mutex_lock(lock);
}

TaskArenaLock::~TaskArenaLock() {
  if (lock)
    pthread_mutex_unlock(lock);
}

Arena &taskArena() { return *current; }

} // namespace cilk2gpu::rt
