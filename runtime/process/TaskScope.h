// The state of a thread that runs tasks: the number of its worker, and the arena for storage of variable size in tasks.
//
//   TaskScope inside(scheduler);   // from here on, insideTask() is true on this thread
//
// Thread-safety: any thread may call these functions; each function refers to the calling thread.
#ifndef CILK2GPU_RUNTIME_PROCESS_TASKSCOPE_H
#define CILK2GPU_RUNTIME_PROCESS_TASKSCOPE_H

#include "cilk2gpu/abi/EntrySite.h"
#include "cilk2gpu/abi/StrandViews.h"
#include <pthread.h>
#include <stdint.h>

namespace cilk2gpu::rt {

class Arena;
class Scheduler;

/// Marks the calling thread as running tasks, from construction to destruction. Scopes nest.
class TaskScope {
public:
  /// `arena` has the memory for storage of variable size in tasks.
  explicit TaskScope(Arena &arena);
  /// The thread runs kernels for this scheduler, and uses the scheduler's arena.
  explicit TaskScope(Scheduler &scheduler);
  /// As the constructor above; the thread stays worker number `worker` until it ends.
  TaskScope(Scheduler &scheduler, uint32_t worker);
  /// For an arena that several threads use at a time, under `lock`. The thread stays worker number `worker` until it
  /// ends.
  TaskScope(Arena &arena, pthread_mutex_t &lock, uint32_t worker);
  ~TaskScope();
  TaskScope(const TaskScope &) = delete;

private:
  Arena *outer;
  pthread_mutex_t *outerLock;
  const Scheduler *outerScheduler;
  void *outerStrand;
};

/// The activation of reducers (reducers/Activation.h) to whose strands ordinary code of the calling thread belongs, or
/// null. A TaskScope begins with null, because its tasks do not belong to the strands of the code around it.
inline void *threadStrand() {
  extern constinit thread_local void *currentStrand;
  return currentStrand;
}
void setThreadStrand(void *strand);

/// Empties the views that compiled code of the calling thread has looked up (abi::KeptLookups).
void forgetLookups();

/// Returns the number of the worker that the calling thread is; 0 for a thread that no executor has started.
uint32_t currentWorker();

/// Returns whether the calling thread runs tasks, that is, is in a TaskScope.
inline bool insideTask() { return __cilk2gpu_inside_tasks != 0; }

/// Locks taskArena() for its lifetime. Costs nothing where only the calling thread uses the arena.
class TaskArenaLock {
public:
  TaskArenaLock();
  ~TaskArenaLock();
  TaskArenaLock(const TaskArenaLock &) = delete;

private:
  pthread_mutex_t *lock;
};

/// Returns the arena of the innermost TaskScope. Must be called inside a task.
Arena &taskArena();

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_TASKSCOPE_H
