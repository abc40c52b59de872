// See ModelReclaim.h.
#include "executors/model/ModelReclaim.h"

namespace cilk2gpu::rt {

void ModelReclaim::queue(LevelTask &task) {
  shared.isAwake = true;
  if (task.awaitsReclaim)
    return;
  task.awaitsReclaim = true;
  task.nextReclaim = first;
  first = &task;
}

bool ModelReclaim::one() {
  LevelTask *task = first;
  if (!task)
    return false;
  first = task->nextReclaim;
  task->awaitsReclaim = false;
  shared.modelTotals.elements_freed += task->pre.reclaim(shared.budget());
  wakeProducers(*task);
  shared.spend(shared.modelTotals.aggregator_reclaims, tunables::kAggregatorReclaim);
  return true;
}

/// Wakes the wavefronts that may be blocked on a channel that has room now.
void ModelReclaim::wakeProducers(const LevelTask &task) {
  if (task.level)
    shared.candidates.insert(shared.arena, task.level - 1);
  for (const LevelTask *at = task.task->isQueue() ? shared.stateOf(*task.task).levels : nullptr; at;
       at = at->otherLevel)
    if (at->level)
      shared.candidates.insert(shared.arena, at->level - 1);
}

void ModelReclaim::dropSpares(uint64_t index) {
  for (LevelTask *task = shared.tasksAt(index + 1); task; task = task->next) {
    task->pre.dropSpares(shared.budget());
    if (task->pre.mayReclaim)
      queue(*task);
  }
}

} // namespace cilk2gpu::rt
