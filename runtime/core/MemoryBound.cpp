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

namespace {

/// Adds up the bytes of buffers that only grow. While a buffer grows, the buffer that it is copied from exists, too.
class GrownBuffers {
public:
  void add(uint64_t bytes) {
    sum.add(bytes);
    if (bytes > largest)
      largest = bytes;
  }
  void addBytes(uint64_t bytes) { sum.add(bytes); } ///< of memory that is never copied
  void addBlock(uint64_t bytes, uint64_t align) { sum.addBlock(bytes, align); }
  uint64_t value() const { return ByteSum(sum).add(largest).value(); }

private:
  ByteSum sum;
  uint64_t largest = 0;
};

} // namespace

/// Adds the state of one task at one level, with the capacities that its buffers have reached.
static void addGrown(GrownBuffers &buffers, const TaskLevel &at) {
  const TaskInfo &task = *at.task;
  buffers.addBlock(sizeof(TaskLevel) + task.element.numFields * sizeof(void *), alignof(TaskLevel));
  buffers.add(at.pre.bufferBytes(task.element));
  if (!at.active)
    return;
  const ActiveState &active = *at.active;
  buffers.addBlock(ActiveState::bytes(task), alignof(ActiveState));
  if (active.own.elision)
    buffers.addBlock(sizeof(Elision), alignof(Elision));
  buffers.addBytes(active.frames.chunkBytes);
  buffers.add(active.frames.bytes() - active.frames.chunkBytes);
  for (uint32_t k = 1; k < task.numKernels; ++k)
    buffers.add(at.active->post(k).channel.bufferBytes(kPostLayout));
  if (!active.restarts)
    return;
  buffers.addBlock(task.numKernels * sizeof(FrameChannel *), alignof(FrameChannel *));
  for (uint32_t k = 0; k < task.numKernels; ++k)
    if (const FrameChannel *restarts = active.restarts[k]) {
      buffers.addBlock(sizeof(FrameChannel), alignof(FrameChannel));
      buffers.add(restarts->channel.bufferBytes(kRestartLayout));
    }
}

MemoryBounds levelsBounds(const SchedulerState &state, uint64_t returnedFrames) {
  ByteSum fixed, limit;
  GrownBuffers grown;
  fixed.add(state.arena.measuredHighWater()).add(arrayBound(state.numLevels, sizeof(Level)));
  fixed.add(state.taskCounters.bound()).addBlock(returnedFrames * sizeof(void *), alignof(void *));
  for (uint64_t index = 0; index < state.numLevels; ++index) {
    if (state.levels[index].steal)
      fixed.addBlock(sizeof(StealState), alignof(StealState));
    for (const TaskLevel *at = state.levels[index].tasks; at; at = at->next) {
      limit.add(taskBound(*at->task, at->width, at->active));
      addGrown(grown, *at);
    }
  }
  return {ByteSum(fixed).add(grown.value()).value(), limit.add(fixed.value()).value()};
}

} // namespace cilk2gpu::rt
