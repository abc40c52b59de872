// How levels come to be. Nothing is given back before the model is: a level is likely to be reached again.
#include "executors/model/Model.h"

namespace cilk2gpu::rt {

ModelLevel &Model::level(uint64_t index) {
  if (index >= numLevels) {
    uint64_t grown = index + 1 > 2 * numLevels ? index + 1 : 2 * numLevels;
    ModelLevel *fresh = arena.allocateArray<ModelLevel>(grown);
    for (uint64_t i = 0; i < numLevels; ++i)
      fresh[i] = levels[i];
    arena.release(levels, numLevels * sizeof(ModelLevel), alignof(ModelLevel));
    levels = fresh;
    numLevels = grown;
  }
  return levels[index];
}

Model::TaskState &Model::stateOf(const TaskInfo &task) {
  if (task.index >= numTaskStates) {
    uint64_t grown = task.index + 1 > 2 * numTaskStates ? task.index + 1 : 2 * numTaskStates;
    TaskState *fresh = arena.allocateArray<TaskState>(grown);
    for (uint64_t i = 0; i < numTaskStates; ++i)
      fresh[i] = taskStates[i];
    arena.release(taskStates, numTaskStates * sizeof(TaskState), alignof(TaskState));
    taskStates = fresh;
    numTaskStates = grown;
  }
  TaskState &state = taskStates[task.index];
  if (!state.kernels) {
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
  }
  return state;
}

LevelTask &Model::levelTask(uint64_t index, const TaskInfo *task) {
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

ActiveTask &Model::activate(LevelTask &at) {
  if (at.active)
    return *at.active;
  const TaskInfo &task = *at.task;
  ActiveTask *active = arena.allocateArray<ActiveTask>(1);
  active->posts = arena.allocateArray<PostQueue>(task.numKernels - 1);
  active->targets = arena.allocateArray<LevelTask *>(task.numTargets);
  for (uint32_t k = 1; k < task.numKernels; ++k)
    active->post(k).elements.initialise(active->post(k).columns);
  for (uint32_t t = 0; t < task.numTargets; ++t)
    active->targets[t] = &levelTask(at.level + 1, task.targets[t]);
  TaskState &state = stateOf(task);
  active->counters = state.kernels;
  at.active = active;
  return *active;
}

void Model::addLive(uint64_t index, uint64_t count) {
  ModelLevel &at = level(index);
  if (!at.live && count)
    alive.insert(arena, index);
  at.live += count;
}

void Model::removeLive(uint64_t index, uint64_t count) {
  ModelLevel &at = level(index);
  if (count > at.live)
    internalError("more elements are done than there were", index);
  at.live -= count;
  if (!at.live)
    alive.erase(index);
}

} // namespace cilk2gpu::rt
