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
// The policy's decisions
//===--------------------------------------------------------------------------------------------------------------===//

/// Whether a task and all that it spawns run in vectors, so that more lanes fill more vectors below.
bool Pacing::feedsVectors(const TaskLevel &state) const {
  bool feeds = state.task->kernels[0].isVectorised();
  for (uint32_t t = 0; t < state.task->numTargets; ++t)
    feeds &= SchedulerState::taskLevelOf(*state.active->spawns[t]).task->kernels[0].isVectorised();
  return feeds;
}

bool Pacing::isHalfFullBelow() const {
  for (const TaskLevel *state = shared.tasksAt(shared.current + 1); state; state = state->next)
    if (state->pre.size() * 2 > state->width)
      return true;
  return false;
}

/// What the policy sees of a task at the current level.
struct Pacing::View {
  const Pacing &pacing;
  const TaskLevel &state;
  bool fillsBelow = false;

  uint64_t started() const { return pacing.started; }
  bool isHalfFullBelow() const { return pacing.isHalfFullBelow(); }
  bool isFullBelow() const { return fillsBelow; }
  TaskLength taskLength() const { return state.active->pace.length; }
  bool isMeasured() const { return state.active->pace.lanes; }
  bool isVectorised() const { return state.task->kernels[0].isVectorised(); }
  bool feedsVectors() const { return pacing.feedsVectors(state); }
};

uint64_t Pacing::lanesAtOnce(const TaskLevel &state) const {
  View view = {*this, state};
  return withPolicy(shared.policyKind, [&](auto policy) { return policy.lanesAtOnce(view); });
}

bool Pacing::goesDeeper(const TaskLevel &state, bool fillsBelow) {
  TaskOrder order = shared.limits.order;
  if (order != TaskOrder::Given && !shared.environment.device)
    return order == TaskOrder::Reversed || shared.random.below(2);
  View view = {*this, state, fillsBelow};
  return withPolicy(shared.policyKind, [&](auto policy) { return policy.descends(view); });
}

/// How many lanes may spawn before a channel below is full, if each spawns two elements; at least a wavefront. A larger
/// block would be refused space in the middle, and its remaining lanes would have to be saved.
uint64_t Pacing::roomBelow(const TaskLevel &state) const {
  uint64_t least = ~uint64_t(0);
  for (uint32_t t = 0; t < state.task->numTargets; ++t) {
    const TaskLevel &target = SchedulerState::taskLevelOf(*state.active->spawns[t]);
    uint64_t held = target.pre.size(), room = held < target.width ? (target.width - held) / 2 : 0;
    least = room < least ? room : least;
  }
  return least < shared.limits.wave ? shared.limits.wave : least;
}

uint64_t Pacing::freshLanes(const TaskLevel &state, uint64_t available, bool &fillsBelow) {
  const ActiveState &active = *state.active;
  uint64_t lanes = lanesOf(active, available), room = roomBelow(state);
  fillsBelow = lanes > room;
  if (fillsBelow)
    lanes = room;
  uint64_t most = lanesAtOnce(state);
  if (lanes > most)
    lanes = most;
  // In a trial, vectors have the lanes that they would have without it: lanes of others may differ more.
  if (elisions.triesNext() && active.elision->isLeaf && lanes > active.elision->lanes)
    lanes -= active.elision->lanes;
  if (lanes < available)
    elisions.countWide();
  return lanes;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Measuring
//===--------------------------------------------------------------------------------------------------------------===//

/// The time that the lanes took themselves may be enough to know. Lanes of a vector take little memory with them, and
/// more of them fill the vectors below, so that their children are not waited for.
void Pacing::ran(ActiveState &active, bool inVectors, uint64_t lanes, uint64_t start) {
  bool isTrial = elisions.graphRan(active);
  bool isSlow = (shared.clock() - start) / lanes > kSlowTask;
  Pace &pace = active.pace;
  bool isShort = inVectors || pace.length == TaskLength::Short;
  pace.isKnown = isSlow || inVectors;
  pace.length = isSlow ? TaskLength::Long : isShort ? TaskLength::Short : TaskLength::LongSubtree;
  pace.lanes = isTrial || !pace.isKnown ? uint32_t(lanes) : 0;
  pace.start = start;
}

void Pacing::finish(ActiveState &active) {
  Pace &pace = active.pace;
  if (!pace.isKnown) {
    uint64_t took = shared.clock() - pace.start;
    pace.length = took / pace.lanes > kSlowSubtree ? TaskLength::LongSubtree : TaskLength::Short;
  }
  elisions.graphEnds(active);
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
