// See BlockedWavefronts.h. The table is a list for each task and level, in ActiveTask.
#include "executors/model/BlockedWavefronts.h"

namespace cilk2gpu::rt {

bool BlockedWavefronts::take() {
  SavedWave *saved = shared.restarts.take(shared.arena);
  if (!saved)
    return false;
  saved->next = nullptr;
  ActiveTask &active = *saved->task->active;
  (active.lastBlocked ? active.lastBlocked->next : active.firstBlocked) = saved;
  active.lastBlocked = saved;
  moves.yielded(saved->task->level);
  shared.candidates.insert(shared.arena, saved->task->level);
  raise(shared.modelTotals.blocked_high_water, ++size);
  shared.spend(shared.modelTotals.aggregator_blocks, tunables::kAggregatorBlock);
  return true;
}

/// Returns whether a wavefront may go on. All restarted wavefronts together have at most as many lanes as there is room
/// for, but one wavefront may always go on.
bool BlockedWavefronts::hasRoom(const SavedWave &saved) {
  uint64_t room = saved.blockedOn->pre.room(shared.budget(), saved.lanes), pledged = saved.blockedOn->pledged;
  return room && !shared.isHeldElsewhere(*saved.blockedOn) && (!pledged || pledged + saved.lanes <= room);
}

void BlockedWavefronts::restart(SavedWave &saved, Context &context) {
  LevelTask &task = *saved.task;
  const KernelInfo &kernel = task.task->kernels[saved.kernel];
  if (!kernel.resume)
    shared.internalError("a lane yielded in a kernel that cannot resume", task.level);
  Wavefront &wavefront = launches.prepare(task, WaveKind::Restart, saved.kernel, saved.lanes, kernel.resume);
  launches.placeFrames(wavefront);
  __builtin_memcpy(wavefront.arrays.columns[0], saved.frames(), saved.lanes * sizeof(void *));
  __builtin_memcpy(wavefront.arrays.columns[1], saved.sites(), saved.lanes * sizeof(uint32_t));
  wavefront.node = saved.node;
  wavefront.restartOf = saved.blockedOn;
  saved.blockedOn->pledged += saved.lanes;
  KernelCounters &counters = task.active->counters[saved.kernel];
  count(counters.restartedLanes, saved.lanes);
  count(counters.restartedWavefronts, 1);
  launches.launch(wavefront, context);
}

DispatchOutcome BlockedWavefronts::restart(LevelTask &task) {
  ActiveTask *active = task.active;
  SavedWave **link = active ? &active->firstBlocked : nullptr, *previous = nullptr;
  DispatchOutcome result = DispatchOutcome::Nothing;
  for (; link && *link; previous = *link, link = &previous->next) {
    SavedWave &saved = **link;
    if (!hasRoom(saved))
      continue;
    Context *context = shared.machine.freeContext(saved.cu);
    if (!context) {
      result = DispatchOutcome::Waits;
      continue;
    }
    *link = saved.next;
    if (active->lastBlocked == &saved)
      active->lastBlocked = previous;
    --size;
    restart(saved, *context);
    shared.savedWaves.remove(SavedWave::bytes(saved.lanes), alignof(SavedWave));
    shared.arena.release(&saved, SavedWave::bytes(saved.lanes), alignof(SavedWave));
    return DispatchOutcome::Dispatched;
  }
  return result;
}

} // namespace cilk2gpu::rt
