// See MemoryBound.h.
#include "core/MemoryBound.h"
#include "core/SchedulerState.h"

namespace cilk2gpu::rt {

static uint64_t kernelsThatYield(const TaskInfo &task) {
  uint64_t result = 0;
  for (uint32_t k = 0; k < task.numKernels; ++k)
    result += task.kernels[k].resume != nullptr;
  return result;
}

/// Returns the bound of one task at one level. The number of its frames bounds its queues of restarts and of post-sync
/// elements. `isActive`: its kernels have run at the level.
static uint64_t taskBound(const TaskInfo &task, uint64_t width, bool isActive) {
  uint64_t elementBytes = 0, pointers = sizeof(void *);
  for (uint32_t f = 0; f < task.element.numFields; ++f)
    elementBytes += task.element.fields[f].size;
  ByteSum sum;
  sum.addBlock(sizeof(TaskLevel) + task.element.numFields * pointers, alignof(TaskLevel));
  sum.add(queueBound(width, elementBytes, task.element.numFields));
  if (!isActive)
    return sum.value();
  uint64_t kernels = task.numKernels;
  sum.addBlock(ActiveState::bytes(task), alignof(ActiveState)).addBlock(kernels * pointers, 8);
  if (task.hasElision)
    sum.addBlock(sizeof(Elision), alignof(Elision));
  sum.add(framesBound(task, width));
  sum.add(kernels - 1, queueBound(width, pointers, 1));
  sum.add(kernelsThatYield(task), queueBound(width, pointers + sizeof(uint32_t), 2) +
                                      Arena::blockBytes(sizeof(FrameChannel), alignof(FrameChannel)));
  return sum.value();
}

uint64_t firstLaneBound(const TaskInfo &task, uint64_t index, uint64_t numLevels) {
  ByteSum sum;
  sum.add(taskBound(task, 1, /*isActive=*/true));
  for (uint32_t t = 0; t < task.numTargets; ++t)
    sum.add(taskBound(*task.targets[t], 1, /*isActive=*/false));
  sum.addBlock(task.numKernels * sizeof(KernelCounters), alignof(KernelCounters));
  if (index + 1 >= numLevels)
    sum.add(arrayBound(index + 2, sizeof(Level)));
  return sum.value();
}

uint64_t turnBound(const TaskInfo &task, const Limits &limits) {
  uint64_t width = task.widthUnder(limits), lanes = width < limits.block ? width : limits.block;
  ByteSum sum;
  sum.add(2 * taskBound(task, width, /*isActive=*/true)).add(2 * lanes, sizeof(void *)); // the list of returned frames
  return sum.addBlock(task.numKernels * sizeof(KernelCounters), alignof(KernelCounters)).value();
}

uint64_t levelsBound(const SchedulerState &state, uint64_t returnedFrames) {
  ByteSum sum;
  sum.add(state.arena.measuredHighWater()).add(arrayBound(state.numLevels, sizeof(Level)));
  sum.add(state.taskCounters.bound());
  for (uint64_t index = 0; index < state.numLevels; ++index) {
    if (state.levels[index].steal)
      sum.addBlock(sizeof(StealState), alignof(StealState));
    for (const TaskLevel *at = state.levels[index].tasks; at; at = at->next)
      sum.add(taskBound(*at->task, at->width, at->active));
  }
  return sum.addBlock(returnedFrames * sizeof(void *), alignof(void *)).value();
}

} // namespace cilk2gpu::rt
