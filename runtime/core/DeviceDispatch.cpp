// See DeviceDispatch.h.
#include "core/DeviceDispatch.h"
#include "core/MemoryBound.h"

namespace cilk2gpu::rt {

bool DeviceDispatch::lacksRoom(const TaskLevel &state, uint64_t index) const {
  Elide elide = shared.limits.elide;
  if (!shared.environment.device->elides || !state.task->hasElision || elide == Elide::Never)
    return false;
  if (elide == Elide::Always && index)
    return true;
  return !state.active && !shared.data.leaves(firstLaneBound(*state.task, index, shared.numLevels));
}

/// Makes room in the channels below, for as many elements as the lanes are expected to spawn. A channel that may not
/// hold so many refuses lanes. An empty channel has room for at least one element, so that some lane makes progress.
void DeviceDispatch::makeRoomForLanes(TaskLevel &state, uint64_t lanes) {
  ActiveState &active = *state.active;
  for (uint32_t t = 0; t < state.task->numTargets; ++t) {
    const TaskLevel &target = SchedulerState::taskLevelOf(*active.spawns[t]);
    uint64_t wanted, each = target.task->bytes ? target.task->bytes : 1;
    if (__builtin_mul_overflow(lanes, active.spawnsPerLane, &wanted) || wanted > target.width)
      wanted = target.width;
    while (wanted > 1 && !shared.data.fits(wanted * each, alignof(void *)))
      wanted /= 2;
    shared.talloc(*active.spawns[t], wanted);
  }
}

/// Makes the list of returned frames, with room for a frame of each lane.
void DeviceDispatch::makeReturns(uint64_t lanes) {
  if (numReturns >= lanes)
    return;
  shared.data.release(returns, numReturns * sizeof(void *), alignof(void *));
  returns = static_cast<void **>(shared.data.allocate(lanes * sizeof(void *), alignof(void *)));
  numReturns = lanes;
}

/// Takes back the part of lanes' counts that is beyond the limits. Returns whether lanes were refused only because too
/// little room had been made, although the channel may hold more.
bool DeviceDispatch::settleSpawns(ActiveState &active, const TaskInfo &task) {
  bool couldGrow = false;
  for (uint32_t t = 0; t < task.numTargets; ++t) {
    abi::Cursor &cursor = *active.spawns[t];
    if (cursor.next <= cursor.limit)
      continue;
    cursor.next = cursor.limit;
    const TaskLevel &target = SchedulerState::taskLevelOf(cursor);
    couldGrow |= target.pre.size() < target.width;
  }
  return couldGrow;
}

/// Takes over the counts of a store of frames. `takes`: the lanes took frames from it.
void DeviceDispatch::settleFrames(abi::FrameStore &frames, bool takes) {
  frames.count -= frames.taken;
  if (takes && frames.returned)
    shared.data.copy(frames.free + frames.count, frames.returns, frames.returned * sizeof(void *));
  frames.count += frames.returned;
}

void DeviceDispatch::run(TaskLevel &state, bool restarts, const OwnedChannel &source, uint64_t lanes) {
  ActiveState &active = *state.active;
  abi::Wave &wave = shared.dispatched.wave;
  const KernelInfo &info = state.task->kernels[wave.kernel];
  abi::FrameStore &frames = active.frames.store;
  const DeviceHooks &device = *shared.environment.device;
  makeRoomForLanes(state, lanes);
  OwnedChannel *refused = info.resume ? &shared.restartChannel(state, wave.kernel, lanes) : nullptr;
  uint64_t refusedBefore = refused ? refused->cursor.next : 0;
  // Only pre-sync lanes take frames. Other lanes give frames back to the same store.
  bool takes = wave.kernel == 0 && !restarts;
  if (takes && state.task->frame)
    makeReturns(lanes);
  frames.taken = frames.returned = 0;
  frames.returns = takes ? returns : frames.free + frames.count;
  wave.columns = source.cursor.columns;
  wave.first = source.head;
  wave.restarts = refused ? &refused->cursor : nullptr;
  device.dispatch(device.context, *state.task, restarts, &wave);
  if (settleSpawns(active, *state.task) && active.spawnsPerLane < state.width)
    active.spawnsPerLane *= 2;
  settleFrames(frames, takes);
  if (refused)
    shared.countYields(active, refused->cursor.next - refusedBefore);
}

} // namespace cilk2gpu::rt
