// Decides how many pre-sync lanes a dispatch takes, and whether their children run before more of their level starts.
// The policy decides (Policy.h). This class shows the level to the policy, and measures how long lanes take if the
// policy uses that.
//
// A measurement calls beginsMeasuring() before some lanes run, ran() after they ran, and ends() when their descendants
// are done.
//
// Thread-safety: the owning scheduler's. Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_PACING_H
#define CILK2GPU_RUNTIME_CORE_PACING_H

#include "core/ElisionTrials.h"

namespace cilk2gpu::rt {

class Pacing {
public:
  Pacing(SchedulerState &shared, ElisionTrials &elisions) : shared(shared), elisions(elisions) {}

  /// Called when a run starts, at level `base`. `probeFor`: see Scheduler::run.
  void start(uint64_t base, uint64_t probeFor) {
    probed = base;
    probeUntil = probeFor ? shared.clock() + probeFor : 0;
  }
  /// Sets the first guess of the pace of a task at a level.
  void guess(ActiveState &active, const TaskInfo &task) const;
  /// Called when the scheduler comes to a level and starts to dispatch it.
  void enterLevel() { started = 0; }

  /// Returns how many of `available` elements one dispatch takes: a wavefront, or a block of full wavefronts.
  uint64_t lanesOf(const ActiveState &active, uint64_t available);
  /// Returns the number of lanes that yielded and are restarted together.
  uint64_t restartedLanes(uint64_t available) const {
    uint64_t most = shared.environment.device ? shared.limits.block : shared.limits.wave;
    return available < most ? available : most;
  }
  /// Returns how many of `available` pre-sync elements run in the graph now. Sets `fillsBelow` if there is no room for
  /// the children of as many lanes as a dispatch would take.
  uint64_t freshLanes(const TaskLevel &state, uint64_t available, bool &fillsBelow);

  /// Counts pre-sync lanes of the current level that ran in the graph.
  void countStarted(uint64_t lanes) { started += lanes; }
  /// Returns whether the children of the lanes that ran run before more of this level starts.
  bool goesDeeper(const TaskLevel &state, bool fillsBelow);

  /// Returns whether the `lanes` pre-sync lanes that run next are measured. `available`: all elements that wait,
  /// including these lanes.
  bool beginsMeasuring(const TaskLevel &state, uint64_t lanes, uint64_t available);
  /// Called when lanes that are measured ran; they started at `start`.
  void ran(const TaskLevel &state, bool inVectors, uint64_t lanes, uint64_t start);
  /// Called when lanes that may be measured and their descendants are done.
  void ends(const TaskLevel &state) {
    if (state.active->pace.lanes)
      finish(state);
  }
  /// Called when a block ran that started at `start`, while other workers may wait for work. A block that runs cannot
  /// be shared, so blocks grow only as long as they take little time.
  void adaptBlock(ActiveState &active, uint64_t start) const;

private:
  struct View;
  bool feedsVectors(const TaskLevel &state) const;
  bool isHalfFullBelow() const;
  uint64_t lanesAtOnce(const TaskLevel &state) const;
  uint64_t roomBelow(const TaskLevel &state) const;
  void finish(const TaskLevel &state);

  SchedulerState &shared;
  ElisionTrials &elisions;
  uint64_t started = 0;    ///< pre-sync lanes that ran since the current level was entered
  uint64_t probed = 0;     ///< the deepest level at which a wavefront was dispatched
  uint64_t probeUntil = 0; ///< time at which probing ends; 0: no probing
};

inline uint64_t Pacing::lanesOf(const ActiveState &active, uint64_t available) {
  const Limits &limits = shared.limits;
  if (shared.current > probed) {
    probed = shared.current;
    if (probeUntil && shared.hungry()) {
      if (shared.clock() < probeUntil)
        return 1;
      probeUntil = 0;
    }
  }
  uint64_t most = shared.environment.device ? limits.block : limits.wave < abi::kMaxWave ? limits.wave : active.block;
  return available < most ? available : most;
}

/// Returns whether a task and its children run in vectors, so that more lanes fill more vectors below.
inline bool Pacing::feedsVectors(const TaskLevel &state) const {
  bool feeds = state.task->kernels[0].isVectorised();
  for (uint32_t t = 0; t < state.task->numTargets; ++t)
    feeds &= SchedulerState::taskLevelOf(*state.active->spawns[t]).task->kernels[0].isVectorised();
  return feeds;
}

inline bool Pacing::isHalfFullBelow() const {
  for (const TaskLevel *state = shared.tasksAt(shared.current + 1); state; state = state->next)
    if (state->pre.size() * 2 > state->width)
      return true;
  return false;
}

/// The view that a policy has of a task at the current level.
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

inline uint64_t Pacing::lanesAtOnce(const TaskLevel &state) const {
  View view = {*this, state};
  return withPolicy(shared.policyKind, [&](auto policy) { return policy.lanesAtOnce(view); });
}

inline bool Pacing::goesDeeper(const TaskLevel &state, bool fillsBelow) {
  TaskOrder order = shared.limits.order;
  if (order != TaskOrder::Given && order != TaskOrder::Stepped && !shared.environment.device)
    return order == TaskOrder::Reversed || shared.random.below(2);
  View view = {*this, state, fillsBelow};
  return withPolicy(shared.policyKind, [&](auto policy) { return policy.descends(view); });
}

/// Returns the number of lanes that may spawn before a channel below is full, if each spawns two elements; at least a
/// wavefront. A larger block would be refused space in the middle, and its remaining lanes would have to be saved.
inline uint64_t Pacing::roomBelow(const TaskLevel &state) const {
  uint64_t least = ~uint64_t(0);
  for (uint32_t t = 0; t < state.task->numTargets; ++t) {
    const TaskLevel &target = SchedulerState::taskLevelOf(*state.active->spawns[t]);
    uint64_t held = target.pre.size(), room = held < target.width ? (target.width - held) / 2 : 0;
    least = room < least ? room : least;
  }
  return least < shared.limits.wave ? shared.limits.wave : least;
}

[[gnu::always_inline]] inline uint64_t Pacing::freshLanes(const TaskLevel &state, uint64_t available,
                                                          bool &fillsBelow) {
  const ActiveState &active = *state.active;
  uint64_t lanes = lanesOf(active, available), room = roomBelow(state);
  fillsBelow = lanes > room;
  if (fillsBelow)
    lanes = room;
  uint64_t most = lanesAtOnce(state);
  if (lanes > most)
    lanes = most;
  // In a trial, the graph and the elided lanes together have as many lanes as a dispatch without a trial.
  if (elisions.triesNext() && active.band->elision->isChildless && lanes > active.band->elision->lanes)
    lanes -= active.band->elision->lanes;
  if (lanes < available)
    elisions.countWide();
  return lanes;
}

inline bool Pacing::beginsMeasuring(const TaskLevel &state, uint64_t lanes, uint64_t available) {
  ActiveState &active = *state.active;
  uint32_t starts = active.starts++;
  bool isUnknown = shared.environment.hungry && state.task->mayBeLong() && !state.task->times.longest();
  // A level with one lane leaves nothing to choose, and reading the clock takes as long as a small task.
  bool looks = elisions.triesNext() ||
               (available > 1 ? starts < tunables::kFirstMeasured || starts % tunables::kMeasuredStarts == 0
                              : starts % tunables::kMeasuredStarts == tunables::kFirstMeasured || isUnknown);
  if (!shared.policy.measures || !looks || active.pace.lanes)
    return false;
  if (elisions.triesNext())
    elisions.graphStarts(*active.band->elision, lanes);
  return true;
}

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_PACING_H
