// See Pacing.h.
#include "core/Pacing.h"

namespace cilk2gpu::rt {

using namespace tunables;

void Pacing::guess(ActiveState &active, const TaskInfo &task) const {
  bool isVectorised = task.kernels[0].isVectorised();
  active.pace.length = shared.policy.measures && !isVectorised ? TaskLength::LongSubtree : TaskLength::Short;
  active.block = shared.environment.hungry ? shared.limits.wave : abi::kMaxLanes;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Measuring
//===--------------------------------------------------------------------------------------------------------------===//

/// The time of the lanes alone may be enough to know that they are long. For lanes in vectors, the measurement does not
/// wait for their children, because such lanes take little memory with them, and more lanes fill the vectors below.
void Pacing::ran(const TaskLevel &state, bool inVectors, uint64_t lanes, uint64_t start) {
  ActiveState &active = *state.active;
  bool isTrial = elisions.graphRan(state);
  uint64_t each = (shared.clock() - start) / lanes;
  bool isSlow = each > kSlowTask;
  active.laneTime = each < 1 ? 1 : each < ~uint32_t(0) ? uint32_t(each) : ~uint32_t(0);
  state.task->times.note(active.laneTime);
  Pace &pace = active.pace;
  bool isShort = inVectors || pace.length == TaskLength::Short;
  pace.isKnown = isSlow || inVectors;
  pace.length = isSlow ? TaskLength::Long : isShort ? TaskLength::Short : TaskLength::LongSubtree;
  pace.lanes = isTrial || !pace.isKnown ? uint32_t(lanes) : 0;
  pace.start = start;
}

void Pacing::finish(const TaskLevel &state) {
  Pace &pace = state.active->pace;
  uint64_t took = shared.clock() - pace.start;
  if (!pace.isKnown)
    pace.length = took / pace.lanes > kSlowSubtree ? TaskLength::LongSubtree : TaskLength::Short;
  elisions.graphEnds(state, took);
  pace.lanes = 0;
}

void Pacing::adaptBlock(ActiveState &active, uint64_t start) const {
  uint64_t took = shared.clock() - start;
  if (took < kShortBlock)
    active.block = active.block < abi::kMaxLanes ? active.block * 2 : active.block;
  else if (took > kLongBlocks * kShortBlock && active.block > shared.limits.wave)
    active.block /= 2;
}

} // namespace cilk2gpu::rt
