// Computes the memory bound of the modelled device. docs/model.md says why each term is enough.
#include "core/MemoryBound.h"
#include "executors/model/Model.h"

namespace cilk2gpu::rt {

static uint64_t taskBound(const LevelTask &at, uint32_t granularity, bool isCounted) {
  const TaskInfo &task = *at.task;
  ByteSum sum;
  sum.addBlock(sizeof(LevelTask), alignof(LevelTask));
  sum.add(LevelChannel::largestBytes(at.pre.layout, at.width, granularity));
  if (!at.active)
    return sum.value();
  // The number of tasks at the level is bounded by the elements that were there, and by the width.
  uint64_t pointer = sizeof(void *), tasks = at.elements < at.width ? at.elements : at.width;
  sum.addBlock(sizeof(ActiveTask), alignof(ActiveTask)).addBlock((task.numKernels - 1) * sizeof(FrameChannel), 8);
  sum.addBlock(task.numTargets * pointer, 8);
  sum.add(framesBound(task, 2 * tasks < at.width ? 2 * tasks : at.width));
  sum.add(task.numKernels - 1, queueBound(tasks, isCounted ? 2 * pointer : pointer, isCounted ? 2 : 1));
  // Each blocked lane holds a frame, and may have yielded alone.
  bool yields = false;
  for (uint32_t k = 0; k < task.numKernels; ++k)
    yields |= task.kernels[k].resume != nullptr;
  if (yields)
    sum.add(tasks, Arena::blockBytes(SavedWave::bytes(1), alignof(SavedWave)));
  // A node may live because of an element of its wavefront, or because of a frame.
  if (isCounted)
    sum.add(2 * tasks, Arena::blockBytes(WaveNode::bytes(1), alignof(WaveNode)));
  return sum.value();
}

/// Returns the bytes of an array that at least doubled each time that it grew, and of the array that it was copied
/// from.
static uint64_t grownArray(uint64_t count, uint64_t bytes) {
  return Arena::blockBytes(count * bytes, 8) + Arena::blockBytes(count / 2 * bytes, 8);
}

uint64_t Model::memoryBound() const {
  bool isCounted = countsChildren();
  ByteSum sum;
  sum.add(arena.measuredHighWater());
  sum.add(fixedBytes).add(grownArray(numLevels, sizeof(ModelLevel))).add(grownArray(numTaskStates, sizeof(TaskState)));
  sum.add(2 * LevelSet::bound(numLevels));
  sum.add(restarts.largestBytes());
  for (uint64_t i = 0; i < numTaskStates; ++i)
    if (taskStates[i].kernels)
      sum.add(taskStates[i].bytes);
  for (uint64_t index = 0; index < numLevels; ++index)
    for (const LevelTask *task = levels[index].tasks; task; task = task->next)
      sum.add(taskBound(*task, settings.doneCount, isCounted));
  // A context's wavefront, and the spares that this wavefront and the one before it left.
  uint64_t wavefront = Arena::blockBytes(sizeof(Wavefront), alignof(Wavefront)) +
                       Arena::blockBytes(aggregator.largestBlock(), Wavefront::kBlockAlign) +
                       2 * Arena::blockBytes(sizeof(SpareRun), alignof(SpareRun));
  return sum.add(modelTotals.contexts_high_water, wavefront).value();
}

} // namespace cilk2gpu::rt
