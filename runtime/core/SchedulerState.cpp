// See SchedulerState.h.
#include "core/SchedulerState.h"

namespace cilk2gpu::rt {

/// Replaces the policy by Limits::order, if that is not Given, where the scheduler runs kernels itself.
static PolicyKind choose(const Environment &environment, const Limits &limits) {
  return limits.order == TaskOrder::Given || environment.device ? limits.policy : PolicyKind::Levelized;
}

SchedulerState::SchedulerState(const Environment &environment, Limits limits)
    : environment(environment), limits(limits), policyKind(choose(environment, limits)), policy(policyOf(policyKind)),
      arena(environment), deviceArena(environment, Arena::Memory::Device),
      frameArena(environment, Arena::Memory::Frames),
      data(environment.device && environment.device->allocate ? deviceArena : arena),
      frameData(environment.device && environment.device->allocate ? deviceArena : frameArena), random(limits.seed),
      dispatched{} {
  dispatched.scheduler = this;
  dispatched.wave.hungry = environment.device ? nullptr : environment.hungry;
}

void SchedulerState::internalError(const char *what, uint64_t index) {
  const TaskLevel *first = tasksAt(index);
  environment.fail(environment.context, {FailureKind::InternalError, what, first ? first->task->name : nullptr, index});
  __builtin_unreachable();
}

/// Grows an array to at least `needed` entries; new ones are zero.
template <typename T> static void growArray(Arena &arena, T *&array, uint64_t &size, uint64_t needed) {
  uint64_t grown = needed > 2 * size ? needed : 2 * size;
  T *fresh = arena.allocateArray<T>(grown);
  for (uint64_t i = 0; i < size; ++i)
    fresh[i] = array[i];
  arena.release(array, size * sizeof(T), alignof(T));
  array = fresh;
  size = grown;
}

Level &SchedulerState::level(uint64_t index) {
  if (index >= numLevels)
    growArray(arena, levels, numLevels, index + 1);
  return levels[index];
}

TaskLevel &SchedulerState::taskLevel(uint64_t index, const TaskInfo *task) {
  Level &at = level(index);
  for (TaskLevel *state = at.tasks; state; state = state->next)
    if (state->task == task)
      return *state;
  uint64_t columnBytes = task->element.numFields * sizeof(void *);
  auto *state = static_cast<TaskLevel *>(arena.allocate(sizeof(TaskLevel) + columnBytes, alignof(TaskLevel)));
  void **columns = reinterpret_cast<void **>(state + 1);
  for (uint32_t f = 0; f < task->element.numFields; ++f)
    columns[f] = nullptr;
  state->pre.initialise(columns);
  state->next = at.tasks;
  state->task = task;
  state->active = nullptr;
  state->turned = 0;
  state->width = uint32_t(task->widthUnder(limits));
  hasQueueTasks |= task->isQueue();
  hasQueues |= task->isQueue();
  at.tasks = state;
  return *state;
}

ActiveState &SchedulerState::makeActive(TaskLevel &state, uint64_t index) {
  const TaskInfo &task = *state.task;
  arena.subject = task.name;
  uint64_t kernels = task.numKernels;
  auto *active = static_cast<ActiveState *>(arena.allocate(ActiveState::bytes(task), alignof(ActiveState)));
  *active = {};
  active->syncs = reinterpret_cast<abi::Cursor **>(&active->post(kernels));
  active->spawns = active->syncs + kernels;
  active->syncs[0] = nullptr;
  for (uint64_t k = 1; k < kernels; ++k) {
    active->post(k).ready = 0;
    active->post(k).channel.initialise(active->post(k).columns);
    active->syncs[k] = &active->post(k).channel.cursor;
  }
  for (uint32_t t = 0; t < task.numTargets; ++t)
    active->spawns[t] = &taskLevel(index + 1, task.targets[t]).pre.cursor;
  active->counters = taskCounters.of(arena, task);
  active->band = &band(task, index, active->own);
  state.active = active;
  return *active;
}

LevelBand &SchedulerState::band(const TaskInfo &task, uint64_t index, LevelBand &own) {
  if (index < tunables::kSingleLevels)
    return own;
  LevelBand *&bands = levels[LevelBand::firstOf(index)].bands;
  for (LevelBand *band = bands; band; band = band->next)
    if (band->task == &task)
      return *band;
  own.task = &task;
  own.next = bands;
  bands = &own;
  return own;
}

uint64_t SchedulerState::talloc(abi::Cursor &target, uint64_t wanted) {
  TaskLevel &state = taskLevelOf(target);
  arena.subject = data.subject = state.task->name;
  uint64_t first = dispatched.wave.lanes > tunables::kFirstElements ? dispatched.wave.lanes : tunables::kFirstElements;
  if (first > state.width)
    first = state.width;
  uint64_t size = state.pre.size(), free = size < state.width ? state.width - size : 0;
  if (wanted > free)
    wanted = free;
  return wanted && state.pre.makeRoom(data, state.task->element, wanted, state.width, first) ? wanted : 0;
}

OwnedChannel &SchedulerState::restartChannel(TaskLevel &state, uint32_t kernel, uint64_t lanes) {
  ActiveState &active = *state.active;
  if (!active.restarts)
    active.restarts = arena.allocateArray<FrameChannel *>(state.task->numKernels);
  FrameChannel *&restarts = active.restarts[kernel];
  if (!restarts) {
    restarts = static_cast<FrameChannel *>(arena.allocate(sizeof(FrameChannel), alignof(FrameChannel)));
    restarts->channel.initialise(restarts->columns);
    restarts->ready = 0;
  }
  restarts->channel.makeRoom(data, kRestartLayout, lanes, kUnboundedChannel, tunables::kFirstElements);
  return restarts->channel;
}

bool SchedulerState::levelAwaits() const {
  for (const TaskLevel *state = tasksAt(current); state; state = state->next)
    if (state->active && awaits(*state))
      return true;
  return false;
}

} // namespace cilk2gpu::rt
