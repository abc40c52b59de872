// The state of a thread that runs tasks: the number of its worker, and the arena for the tasks' storage of variable
// size.
//
//   TaskScope inside(scheduler);   // from here on, insideTask() is true on this thread
//
// Thread-safety: any thread; every function answers for the calling thread.
#ifndef CILK2GPU_RUNTIME_PROCESS_TASKSCOPE_H
#define CILK2GPU_RUNTIME_PROCESS_TASKSCOPE_H

#include <pthread.h>
#include <stdint.h>

namespace cilk2gpu::rt {

class Arena;
class Scheduler;

/// Makes the calling thread run tasks, from construction to destruction. Scopes nest.
class TaskScope {
public:
  /// `arena` gives memory for the tasks' storage of variable size.
  explicit TaskScope(Arena &arena);
  /// The thread runs kernels for this scheduler, and uses its arena.
  explicit TaskScope(Scheduler &scheduler);
  /// As above, on a thread that stays worker number `worker` until it ends.
  TaskScope(Scheduler &scheduler, uint32_t worker);
  /// Several threads use the arena at a time, under `lock`. The thread stays worker number `worker` until it ends.
  TaskScope(Arena &arena, pthread_mutex_t &lock, uint32_t worker);
  ~TaskScope();
  TaskScope(const TaskScope &) = delete;

private:
  Arena *outer;
  pthread_mutex_t *outerLock;
  const Scheduler *outerScheduler;
};

/// Returns the number of the worker that the calling thread is; 0 for a thread that no executor has started.
uint32_t currentWorker();

/// Returns whether the calling thread runs tasks: whether it is in a TaskScope.
bool insideTask();

/// Locks taskArena() for its lifetime. Costs nothing where only the calling thread uses the arena.
class TaskArenaLock {
public:
  TaskArenaLock();
  ~TaskArenaLock();
  TaskArenaLock(const TaskArenaLock &) = delete;

private:
  pthread_mutex_t *lock;
};

/// Returns the arena of the innermost TaskScope. The calling thread is inside a task.
Arena &taskArena();

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_TASKSCOPE_H
