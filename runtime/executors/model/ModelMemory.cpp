// Computes the memory bound of the modelled device. docs/model.md says why each term is enough.
#include "core/MemoryBound.h"
#include "executors/model/Model.h"

namespace cilk2gpu::rt {

/// Returns the bytes of a task at one level without its channels, its frames and what stands for them.
static uint64_t stateBytes(const LevelTask &at) {
  const TaskInfo &task = *at.task;
  ByteSum sum;
  sum.addBlock(sizeof(LevelTask), alignof(LevelTask));
  if (at.active)
    sum.addBlock(sizeof(ActiveTask), alignof(ActiveTask))
        .addBlock((task.numKernels - 1) * sizeof(FrameChannel), 8)
        .addBlock(task.numTargets * sizeof(void *), 8);
  return sum.value();
}

/// Returns the most bytes that a task at one level may take.
static uint64_t taskLimit(const LevelTask &at, uint32_t granularity, bool isCounted) {
  const TaskInfo &task = *at.task;
  ByteSum sum;
  sum.add(stateBytes(at)).add(LevelChannel::largestBytes(at.pre.layout, at.width, granularity));
  if (!at.active)
    return sum.value();
  // The number of tasks at the level is bounded by the width.
  uint64_t pointer = sizeof(void *), tasks = at.width;
  sum.add(framesBound(task, at.width));
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

/// Returns the bytes of a task at one level, with the buffers that have grown. `copied`: the largest buffer from which
/// another one was copied while it grew.
static uint64_t taskGrown(const LevelTask &at, uint32_t granularity, bool isCounted, uint64_t &copied) {
  ByteSum sum;
  sum.add(stateBytes(at));
  if (uint64_t width = at.pre.widthReached())
    sum.add(LevelChannel::largestBytes(at.pre.layout, width, granularity));
  if (!at.active)
    return sum.value();
  constexpr uint32_t pointer = sizeof(void *);
  constexpr abi::FieldRecord columns[] = {{pointer, pointer}, {pointer, pointer}};
  uint64_t lists = at.active->frames.bytes() - at.active->frames.chunkBytes;
  copied = lists > copied ? lists : copied;
  sum.add(at.active->frames.bytes());
  for (uint32_t k = 1; k < at.task->numKernels; ++k) {
    uint64_t buffer = at.active->post(k).channel.bufferBytes({columns, isCounted ? 2u : 1u});
    copied = buffer > copied ? buffer : copied;
    sum.add(buffer);
  }
  return sum.value();
}

/// Returns the bytes of an array that at least doubled each time that it grew, and of the array that it was copied
/// from.
static uint64_t grownArray(uint64_t count, uint64_t bytes) {
  return Arena::blockBytes(count * bytes, 8) + Arena::blockBytes(count / 2 * bytes, 8);
}

MemoryBounds Model::memoryBounds() const {
  bool isCounted = countsChildren();
  ByteSum sum, limit, grown;
  uint64_t copied = 0;
  sum.add(arena.measuredHighWater());
  sum.add(fixedBytes).add(grownArray(numLevels, sizeof(ModelLevel))).add(grownArray(numTaskStates, sizeof(TaskState)));
  sum.add(2 * LevelSet::bound(numLevels));
  sum.add(restarts.largestBytes());
  for (uint64_t i = 0; i < numTaskStates; ++i)
    if (taskStates[i].kernels)
      sum.add(taskStates[i].bytes);
  for (uint64_t index = 0; index < numLevels; ++index)
    for (const LevelTask *task = levels[index].tasks; task; task = task->next) {
      limit.add(taskLimit(*task, settings.doneCount, isCounted));
      grown.add(taskGrown(*task, settings.doneCount, isCounted, copied));
    }
  // A context's wavefront, and the spares that this wavefront and the one before it left.
  uint64_t wavefront = Arena::blockBytes(sizeof(Wavefront), alignof(Wavefront)) +
                       Arena::blockBytes(aggregator.largestBlock(), Wavefront::kBlockAlign) +
                       2 * Arena::blockBytes(sizeof(SpareRun), alignof(SpareRun));
  sum.add(modelTotals.contexts_high_water, wavefront);
  grown.add(copied).add(savedWaves.most()).add(waveNodes.most());
  return {grown.add(sum.value()).value(), limit.add(sum.value()).value()};
}

} // namespace cilk2gpu::rt
