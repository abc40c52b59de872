// Dispatches to a device: its lanes cannot ask the scheduler for space while they run. Room is made before they start,
// they reserve from it (cilk2gpu/abi/Device.h), and what they did is taken over when they have ended.
#include "core/Scheduler.h"

namespace cilk2gpu::rt {

/// Room in the channels below, for as many elements as the lanes are expected to spawn; what a channel may not hold, it
/// refuses them. An empty channel has room for one at least, so that some lane gets on.
void Scheduler::makeRoomForLanes(TaskLevel &state, uint64_t lanes) {
  ActiveState &active = *state.active;
  for (uint32_t t = 0; t < state.task->numTargets; ++t) {
    const auto &target = reinterpret_cast<const TaskLevel &>(*active.spawns[t]);
    uint64_t wanted, each = target.task->bytes ? target.task->bytes : 1;
    if (__builtin_mul_overflow(lanes, active.spawnsPerLane, &wanted) || wanted > target.width)
      wanted = target.width;
    while (wanted > 1 && !data.fits(wanted * each, alignof(void *)))
      wanted /= 2;
    talloc(*active.spawns[t], wanted);
  }
}

/// Takes back what lanes have counted beyond the limits. Returns whether all that was missing was room that had not
/// been made.
bool Scheduler::settleSpawns(ActiveState &active, const TaskInfo &task) {
  bool couldGrow = false;
  for (uint32_t t = 0; t < task.numTargets; ++t) {
    abi::Cursor &cursor = *active.spawns[t];
    if (cursor.next <= cursor.limit)
      continue;
    cursor.next = cursor.limit;
    const auto &target = reinterpret_cast<const TaskLevel &>(cursor);
    couldGrow |= target.pre.size() < target.width;
  }
  return couldGrow;
}

/// Frames that were given back are free again.
void Scheduler::settleFrames(abi::FrameStore &frames, bool takes) {
  frames.count -= frames.taken;
  if (takes && frames.returned)
    data.copy(frames.free + frames.count, frames.returns, frames.returned * sizeof(void *));
  frames.count += frames.returned;
}

void Scheduler::runOnDevice(TaskLevel &state, bool restarts, const OwnedChannel &source, uint64_t lanes) {
  ActiveState &active = *state.active;
  abi::Wave &wave = dispatched.wave;
  const KernelInfo &info = state.task->kernels[wave.kernel];
  abi::FrameStore &frames = active.frames.store;
  makeRoomForLanes(state, lanes);
  OwnedChannel *refused = info.resume ? &restartChannel(state, wave.kernel, lanes) : nullptr;
  uint64_t refusedBefore = refused ? refused->cursor.next : 0;
  // Only pre-sync lanes take frames. Others give them back to where the next ones are taken from.
  bool takes = wave.kernel == 0 && !restarts;
  if (takes && state.task->frame && numReturns < lanes) {
    data.release(returns, numReturns * sizeof(void *), alignof(void *));
    returns = static_cast<void **>(data.allocate(lanes * sizeof(void *), alignof(void *)));
    numReturns = lanes;
  }
  frames.taken = frames.returned = 0;
  frames.returns = takes ? returns : frames.free + frames.count;
  wave.columns = source.cursor.columns;
  wave.first = source.head;
  wave.restarts = refused ? &refused->cursor : nullptr;
  environment.device->dispatch(environment.device->context, *state.task, restarts, &wave);
  if (settleSpawns(active, *state.task) && active.spawnsPerLane < state.width)
    active.spawnsPerLane *= 2;
  settleFrames(frames, takes);
  if (refused)
    countYields(active, refused->cursor.next - refusedBefore);
}

} // namespace cilk2gpu::rt
