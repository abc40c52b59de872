// Dispatches to a device. Lanes on a device cannot ask the scheduler for space while they run. The scheduler makes room
// before they start, and the lanes reserve from it (cilk2gpu/abi/Device.h). When they have ended, the scheduler takes
// over the counts that they left.
//
// Thread-safety: the owning scheduler's. Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_DEVICEDISPATCH_H
#define CILK2GPU_RUNTIME_CORE_DEVICEDISPATCH_H

#include "core/SchedulerState.h"

namespace cilk2gpu::rt {

class DeviceDispatch {
public:
  explicit DeviceDispatch(SchedulerState &shared) : shared(shared) {}

  /// Returns whether the lanes of a task must run as their elisions, because the budget has no room for one lane in the
  /// graph and its children. A level that already has memory may still grow by a part of the budget.
  bool lacksRoom(const TaskLevel &state, uint64_t index) const;

  /// Runs the wave that was prepared in SchedulerState::dispatched, over `lanes` elements of `source`.
  void run(TaskLevel &state, bool restarts, const OwnedChannel &source, uint64_t lanes);

  /// Returns the number of entries in the list of frames that lanes give back.
  uint64_t returnedFrames() const { return numReturns; }

private:
  friend struct ControlAccess; // firmware/Shared.h

  void makeRoomForLanes(TaskLevel &state, uint64_t lanes);
  void makeReturns(uint64_t lanes);
  bool settleSpawns(ActiveState &active, const TaskInfo &task);
  void settleFrames(abi::FrameStore &frames, bool takes);

  SchedulerState &shared;
  void **returns = nullptr; ///< frames that pre-sync lanes gave back
  uint64_t numReturns = 0;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_DEVICEDISPATCH_H
