// The levels in the state of a model. They are released with the model only: a level is likely to be reached again.
//
// Freestanding: also compiled for a control processor (firmware/Firmware.cpp).
#include "executors/model/ModelState.h"

namespace cilk2gpu::rt {

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

void ModelState::internalError(const char *what, uint64_t index) {
  const LevelTask *first = tasksAt(index);
  environment.fail(environment.context, {.kind = FailureKind::InternalError,
                                         .what = what,
                                         .subject = first ? first->task->name : nullptr,
                                         .value = index});
  __builtin_unreachable();
}

void ModelState::spend(uint64_t &counter, uint32_t cycles) {
  ++counter;
  uint64_t start = freeAt > machine.now() ? freeAt : machine.now();
  freeAt = start + cycles;
  modelTotals.aggregator_cycles += cycles;
}

ModelLevel &ModelState::level(uint64_t index) {
  if (index >= numLevels)
    growArray(arena, levels, numLevels, index + 1);
  return levels[index];
}

ModelState::TaskState &ModelState::stateOf(const TaskInfo &task) {
  if (task.index >= numTaskStates)
    growArray(arena, taskStates, numTaskStates, task.index + 1);
  TaskState &state = taskStates[task.index];
  if (state.kernels)
    return state;
  state.kernels = arena.allocateArray<KernelCounters>(task.numKernels);
  state.layout = task.element;
  state.bytes = Arena::blockBytes(task.numKernels * sizeof(KernelCounters), 8) +
                Arena::blockBytes((task.element.numFields + 1) * sizeof(abi::FieldRecord), 4);
  if (countsChildren()) {
    auto *fields = arena.allocateArray<abi::FieldRecord>(task.element.numFields + 1);
    for (uint32_t f = 0; f < task.element.numFields; ++f)
      fields[f] = task.element.fields[f];
    fields[task.element.numFields] = {sizeof(WaveNode *), alignof(WaveNode *)};
    state.layout = {fields, task.element.numFields + 1};
  }
  return state;
}

LevelTask &ModelState::levelTask(uint64_t index, const TaskInfo *task) {
  for (LevelTask *found = level(index).tasks; found; found = found->next)
    if (found->task == task)
      return *found;
  LevelTask *fresh = arena.allocateArray<LevelTask>(1);
  TaskState &state = stateOf(*task);
  fresh->task = task;
  fresh->level = index;
  fresh->width = task->widthUnder(settings.limits);
  fresh->pre.initialise(state.layout, fresh->width);
  if (task->isQueue()) {
    fresh->otherLevel = state.levels;
    state.levels = fresh;
    hasQueues = true;
  }
  // In the order in which the tasks came: it decides who is dispatched first.
  LevelTask **last = &level(index).tasks;
  while (*last)
    last = &(*last)->next;
  *last = fresh;
  return *fresh;
}

ActiveTask &ModelState::activate(LevelTask &at) {
  if (at.active)
    return *at.active;
  const TaskInfo &task = *at.task;
  ActiveTask *active = arena.allocateArray<ActiveTask>(1);
  active->posts = arena.allocateArray<FrameChannel>(task.numKernels - 1);
  active->targets = arena.allocateArray<LevelTask *>(task.numTargets);
  for (uint32_t k = 1; k < task.numKernels; ++k)
    active->post(k).channel.initialise(active->post(k).columns);
  for (uint32_t t = 0; t < task.numTargets; ++t)
    active->targets[t] = &levelTask(at.level + 1, task.targets[t]);
  TaskState &state = stateOf(task);
  active->counters = state.kernels;
  at.active = active;
  return *active;
}

void ModelState::addLive(uint64_t index, uint64_t count) {
  ModelLevel &at = level(index);
  if (!at.live && count)
    alive.insert(arena, index);
  at.live += count;
}

void ModelState::removeLive(uint64_t index, uint64_t count) {
  ModelLevel &at = level(index);
  if (count > at.live)
    internalError("more elements are done than there were", index);
  at.live -= count;
  if (!at.live)
    alive.erase(index);
}

bool ModelState::isHeldElsewhere(const LevelTask &task) {
  if (!task.task->isQueue())
    return false;
  for (const LevelTask *at = stateOf(*task.task).levels; at; at = at->otherLevel)
    if (at != &task && (at->reservers || at->pre.outstanding()))
      return true;
  return false;
}

} // namespace cilk2gpu::rt
