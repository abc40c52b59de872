// See ModelAggregator.h.
#include "executors/model/ModelAggregator.h"

namespace cilk2gpu::rt {

void ModelAggregator::start() {
  shared.isAwake = true;
  moves.start();
}

bool ModelAggregator::aggregate() {
  shared.wakeAt = Machine::kNever;
  if (blocked.take())
    return true;
  // The adversary lets channels stay full as long as somebody else can act.
  bool delays = shared.machine.schedule() == Schedule::Adversarial && shared.machine.occupied();
  if (!delays && reclaim.one())
    return true;
  return dispatch.one() || reclaim.one() || moves.move();
}

void ModelAggregator::retire(Wavefront &wavefront) {
  LevelTask &task = *wavefront.task;
  if (wavefront.restartOf)
    wavefront.restartOf->pledged -= wavefront.wave.lanes;
  if (task.pre.mayReclaim)
    reclaim.queue(task);
  if (--shared.level(task.level).running == 0)
    reclaim.dropSpares(task.level);
  shared.candidates.insert(shared.arena, task.level);
  launches.giveBack(wavefront);
  shared.isAwake = true;
}

} // namespace cilk2gpu::rt
