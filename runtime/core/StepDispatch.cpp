// See StepDispatch.h.
#include "core/StepDispatch.h"
#include "core/FillStack.h"

namespace cilk2gpu::rt {

uint64_t StepDispatch::talloc(abi::Wave *wave, uint32_t target, uint64_t wanted) {
  Scheduler &scheduler = Scheduler::of(*reinterpret_cast<RunningWave *>(wave));
  abi::Cursor &cursor = *wave->spawns[target];
  if (scheduler.stepOrder.isOn())
    return scheduler.stepOrder.grant(cursor, scheduler.current + 1);
  uint64_t granted = scheduler.talloc(cursor, wanted);
  cursor.limit = SchedulerState::taskLevelOf(cursor).pre.capacity;
  return granted;
}

/// Returns the task of a ready post-sync element of the current level, and the kernel. Null if there are fewer.
TaskLevel *StepDispatch::readyAt(uint64_t place, uint32_t &kernel) const {
  for (TaskLevel *state = scheduler.tasksAt(scheduler.current); state; state = state->next)
    for (kernel = 1; state->active && kernel < state->task->numKernels; ++kernel)
      if (state->active->post(kernel).ready && !place--)
        return state;
  return nullptr;
}

void StepDispatch::checkOrder(uint64_t index) const {
  uint64_t waiting = 0;
  for (TaskLevel *state = scheduler.tasksAt(index); state; state = state->next)
    waiting += state->pre.size();
  if (waiting != order.size(index))
    scheduler.internalError("the order of steps does not have all elements", index);
}

/// Restarts lanes that yielded. Returns whether one yields again.
bool StepDispatch::restartAll(uint64_t index) {
  for (TaskLevel *state = scheduler.tasksAt(index); state; state = state->next) {
    if (state->active)
      order.refuseSpawns(*state);
    if (scheduler.restartYielded(*state) == Progress::Yielded)
      return true;
  }
  return false;
}

StepDispatch::Progress StepDispatch::runLevel(uint64_t index) {
  Steps &steps = *scheduler.environment.steps;
  Progress result = Progress::None;
  checkOrder(index);
  steps.runRoots();
  for (;;) {
    if (restartAll(index))
      return Progress::Yielded;
    uint64_t numReady = 0;
    for (uint32_t kernel; readyAt(numReady, kernel);)
      ++numReady;
    if (!numReady && !order.size(index))
      return result;
    bool isEarly = false; // before elements of the level below
    if (order.size(index + 1)) {
      uint64_t stays = steps.choose(2);
      if (!stays)
        return Progress::Deeper;
      isEarly = steps.isLast(stays);
    }
    Progress step = runOne(index, numReady, isEarly);
    if (step != Progress::Dispatched)
      return step == Progress::None ? result : step;
    result = step;
  }
}

/// Chooses one element and runs it. Returns None if it has to wait for a frame. `isEarly`: that elements of the current
/// level run before those of the level below is the last step.
StepDispatch::Progress StepDispatch::runOne(uint64_t index, uint64_t numReady, bool isEarly) {
  Steps &steps = *scheduler.environment.steps;
  uint64_t place = steps.choose(numReady + order.size(index));
  bool isLast = steps.isLast(place);
  if (isEarly || isLast) {
    auto taskAt = [&](uint64_t i) -> TaskLevel & {
      uint32_t kernel;
      return i < numReady ? *readyAt(i, kernel) : order.at(index, i - numReady);
    };
    order.name(StepKind::Early, taskAt(place));
    for (uint64_t i = 0; isLast && i < place; ++i)
      order.nameOther(taskAt(i));
    for (uint64_t i = 0; isEarly && i < order.size(index + 1); ++i)
      order.nameOther(order.at(index + 1, i));
  }
  return place < numReady ? runReady(place) : runFresh(index, place - numReady);
}

static uint8_t fillOfElisions; ///< for the stack of elisions

/// Fills the memory that the next task finds without a value: the stack, and its frame. Frames in columns share their
/// memory with others.
void StepDispatch::fillMemory(const TaskLevel &state, bool isElided) const {
  const Environment &environment = scheduler.environment;
  uint8_t fill = environment.steps->fill();
  if (!fill)
    return;
  fillOfElisions = fill;
  abi::Wave unused = {};
  if (isElided && environment.callElided)
    environment.callElided(environment.context, [](abi::Wave *) { fillStack(fillOfElisions); }, &unused);
  else
    fillStack(fill);
  const abi::FrameStore &frames = state.active->frames.store;
  if (!isElided && state.task->frame && !state.task->frame.inColumns && frames.count)
    __builtin_memset(frames.free[frames.count - 1], fill, state.task->frame.size);
}

/// Runs one lane in the graph. Returns whether it yielded.
bool StepDispatch::runLane(TaskLevel &state, OwnedChannel &source, uint32_t kernel) {
  fillMemory(state, /*isElided=*/false);
  count(state.active->counters[kernel].lanes, 1);
  count(state.active->counters[kernel].wavefronts, 1);
  order.refuseSpawns(state);
  return scheduler.runWave(state, state.task->kernels[kernel].each, source, 1, kernel);
}

StepDispatch::Progress StepDispatch::runReady(uint64_t place) {
  uint32_t kernel;
  TaskLevel &state = *readyAt(place, kernel);
  FrameChannel &post = state.active->post(kernel);
  --post.ready;
  return runLane(state, post.channel, kernel) ? Progress::Yielded : Progress::Dispatched;
}

StepDispatch::Progress StepDispatch::runFresh(uint64_t index, uint64_t place) {
  TaskLevel &state = order.at(index, place);
  ActiveState &active = scheduler.activate(state, index);
  bool isElided = state.task->hasElision;
  if (isElided) {
    Steps &steps = *scheduler.environment.steps;
    uint64_t runsGraph = steps.choose(tunables::kStepForms);
    isElided = !runsGraph;
    if (steps.isLast(runsGraph))
      order.name(StepKind::Ahead, state);
  }
  uint64_t lanes = 1;
  if (!isElided && state.task->frame && scheduler.framesMissing(state, active, lanes))
    return Progress::None;
  order.take(index, place);
  if (!isElided)
    return runLane(state, state.pre, 0) ? Progress::Yielded : Progress::Dispatched;
  fillMemory(state, /*isElided=*/true);
  uint64_t before = state.pre.size();
  scheduler.elisions.run(state, 1, /*isTrial=*/false);
  if (state.pre.size() == before)
    scheduler.arena.outOfMemory("the stack of elisions", tunables::kElidedStack, state.task->name);
  return Progress::Dispatched;
}

} // namespace cilk2gpu::rt
