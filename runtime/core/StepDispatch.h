// The dispatches of TaskOrder::Stepped: one lane at a time. See Steps.h for the choices, StepOrder.h for the order of
// elements.
//
// In the serial order, ready post-sync elements come first, then the oldest pre-sync element as its elision. An element
// that has run in the graph has children below, which run before anything else of its level.
//
// Thread-safety: the scheduler's. Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_STEPDISPATCH_H
#define CILK2GPU_RUNTIME_CORE_STEPDISPATCH_H

#include "core/Scheduler.h"

namespace cilk2gpu::rt {

class StepDispatch {
public:
  using Progress = Scheduler::Progress;

  explicit StepDispatch(Scheduler &scheduler) : scheduler(scheduler), order(scheduler.stepOrder) {}

  /// RunningWave::talloc. Grants one element for each call, so that the order of all spawns is known.
  static uint64_t talloc(abi::Wave *wave, uint32_t target, uint64_t wanted);

  /// Dispatches elements of a level until a deeper level comes first, or nothing is left that can run.
  Progress runLevel(uint64_t index);

private:
  bool restartAll(uint64_t index);
  Progress runOne(uint64_t index, uint64_t numReady, bool isEarly);
  Progress runReady(uint64_t place);
  Progress runFresh(uint64_t index, uint64_t place);
  TaskLevel *readyAt(uint64_t place, uint32_t &kernel) const;
  void checkOrder(uint64_t index) const;
  void fillMemory(const TaskLevel &state, bool isElided) const;
  bool runLane(TaskLevel &state, OwnedChannel &source, uint32_t kernel);

  Scheduler &scheduler;
  StepOrder &order;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_STEPDISPATCH_H
