// See LanesGraphMachine.h.
#include "graph/LanesGraphMachine.h"
#include "core/Tunables.h"
#include "process/Message.h"

namespace cilk2gpu::rt {

uint64_t LanesGraphMachine::mostWaiting() const { return tunables::kMostWaiting; }

/// Runs the body of a lane. `lane` may not exist any more when the body returns.
void LanesGraphMachine::laneMain(void *lane) {
  Lane &self = *static_cast<Lane *>(lane);
  self.body(*self.wave, self.number);
}

/// Runs a lane until it ends, waits, or loses its turn. Returns false if it needs another turn.
bool LanesGraphMachine::enter(Lane &entered) {
  bool isNew = !entered.fiber;
  if (isNew && !(entered.fiber = machine.takeFiber()))
    fatal(
        "out of memory: the stack of a lane could not be mapped (%llu bytes); lower the stack's limit (ulimit -s), or "
        "make channels wider, so that fewer lanes wait",
        static_cast<unsigned long long>(stackBytes));
  lane = &entered;
  bool isDone = isNew ? entered.fiber->run(laneMain, &entered) : entered.fiber->resume();
  lane = nullptr;
  if (isDone)
    machine.keepFiber(entered.fiber);
  return isDone || entered.hasLeft;
}

void LanesGraphMachine::runLanes(GraphWave &wave, LaneBody body) {
  Lane lanes[abi::kMaxWave];
  uint32_t left[abi::kMaxWave], count = wave.lanes;
  for (uint32_t i = 0; i < count; ++i) {
    lanes[i] = {.body = body, .wave = &wave, .number = i, .fiber = nullptr, .hasLeft = false};
    left[i] = i;
  }
  while (count) {
    uint64_t chosen = random.below(count);
    wave.lane = left[chosen];
    if (enter(lanes[left[chosen]]))
      left[chosen] = left[--count];
    betweenLanes();
  }
}

void LanesGraphMachine::beforeTalloc() {
  if (lane)
    lane->fiber->suspend();
  else
    NativeGraphMachine::beforeTalloc();
}

void LanesGraphMachine::detach() {
  if (!lane)
    return GraphMachine::detach();
  lane->hasLeft = true;
  lane->fiber->suspend();
}

} // namespace cilk2gpu::rt
