// Which tasks run as their serial elisions, with all that they would spawn, and how that is found out (LevelState.h,
// Elision).
#include "core/Scheduler.h"

namespace cilk2gpu::rt {

/// The next trial comes the later, the more trials there were and the more the other way costs.
void Elision::endTrial(bool choice) {
  lanes = 0;
  if (trials < tunables::kFirstTrials)
    return;
  chosen = choice;
  uint64_t whole = 65536, ours = choice ? whole - share() : share(), ratio = ours ? (whole - ours) / ours + 1 : whole;
  uint64_t each = trials * tunables::kWaitPerTrial;
  each = each < tunables::kLongestWait ? each : tunables::kLongestWait;
  wait = uint32_t(each * (ratio < 16 ? ratio : 16));
}

void Elision::addElided(uint64_t took, uint64_t of) { elided = took * 16 / of + 1; }

/// Large blocks count more than what is left of them. A share, unlike a sum of times, is little disturbed where another
/// program has the processor for a while.
void Elision::addGraph(uint64_t took, uint64_t of) {
  graph = took * 16 / of + 1;
  if (lanes && isLeaf) {
    endLeafTrial();
  } else if (lanes) {
    uint64_t weight = 16 * (of < lanes ? of : lanes); // sixteenths are kept when it gets old
    shares += graph * 65536 / (graph + elided) * weight - shares / tunables::kRememberedTrials;
    weights += weight - weights / tunables::kRememberedTrials;
    ++trials;
    bool isClear = trials >= tunables::kClearTrials && share() < tunables::kClearShare;
    bool isLong = graph > 16 * tunables::kElidedSubtree && share() > tunables::kLongShare;
    if ((isClear || isLong) && trials < tunables::kFirstTrials)
      trials = tunables::kFirstTrials;
    endTrial(share() > (chosen ? tunables::kKeptShare : tunables::kChosenShare));
  } else if (graph > 16 * tunables::kElidedSubtree) {
    trials = trials < tunables::kFirstTrials ? tunables::kFirstTrials : trials;
    endTrial(false);
  }
}

/// Long leaves differ by more than either way does, so that sums decide; few trials, as there are few dispatches of
/// them, and fewest where vectors are much faster.
void Elision::endLeafTrial() {
  lanes = 0;
  trials = sumGraph ? trials + 1 : 1;
  sumGraph += graph;
  sumElided += elided;
  bool isLost = sumElided > (trials == 1 ? 4 : 2) * sumGraph,
       isWon = trials > 1 && (trials < 4 ? 4 : 2) * sumElided < sumGraph;
  if (!isLost && !isWon && trials < tunables::kFirstTrials)
    return;
  chosen = sumElided * 4 < sumGraph * 3;
  sumGraph = sumElided = 0;
  trials = tunables::kFirstTrials;
  wait = tunables::kLongestWait;
}

/// Elisions that nobody tried took `took` nanoseconds for each lane, where the last ones took `before` sixteenths of
/// one.
void Elision::addUntried(uint64_t took, uint64_t before) {
  if (before <= 16 * tunables::kElidedSubtree) {
    if (took > 8 * tunables::kElidedSubtree)
      wait = 0;
    return;
  }
  if (took <= before / 2)
    return;
  // They were narrow, or leaves. Now there is more, and perhaps something to share.
  uint32_t untilNext = isLeaf ? 0 : tunables::kLongestWait;
  *this = {};
  elided = took * 16;
  wait = untilNext;
}

/// When the graph's lanes of a trial start, by the worker's own time if they may take longer than elisions do, and are
/// then more likely to be interrupted by other programs; else 0.
uint64_t Scheduler::startOfTrial(const Elision &elision, uint64_t lanes) const {
  bool isLong = !elision.graph || elision.graph * lanes > 16 * tunables::kElidedSubtree;
  return isLong ? environment.ownClock(environment.context) : 0;
}

/// Whether a trial may begin: not while another level's is under way, and deeper levels first, as far as they run as
/// often: at the ends of a lopsided recursion there are some that hardly ever run.
bool Scheduler::mayTry(const ActiveState &active, const TaskInfo &task) const {
  if (isTrying)
    return false;
  for (uint32_t t = 0; t < task.numTargets; ++t) {
    const auto &target = reinterpret_cast<const TaskLevel &>(*active.spawns[t]);
    const ActiveState *deeper = target.active;
    if (deeper && deeper->elision && deeper->elision->trials < tunables::kFirstTrials &&
        deeper->starts >= active.starts)
      return false;
  }
  return true;
}

/// Pre-sync lanes of a level are about to be dispatched. Levels of a few lanes are as cheap as any other in the graph
/// only where tasks are long; in a chain of them no level would ever begin a trial, as deeper ones come first and all
/// take long. Where nothing wider ran for a while, those that were come to several times try their elisions at once,
/// however long they take: nothing was there to be shared, or to fill vectors.
void Scheduler::countVisit(ActiveState &active, uint64_t available) {
  if (available > tunables::kFewLanes)
    return countWide();
  if (++narrowDispatches == tunables::kNarrowDispatches / 2 && policy.measures)
    narrowSince = environment.clock(environment.context);
  if (active.wideBefore != wideDispatches) {
    active.wideBefore = wideDispatches;
    active.narrowVisits = 0;
  }
  ++active.narrowVisits;
  if (!active.elision && policy.measures && isNarrow(active))
    active.unasked = 0;
}

void Scheduler::countWide() {
  ++wideDispatches;
  narrowDispatches = 0;
}

/// How many pre-sync lanes of a chain run as their elisions although nothing is known about them: the graph is no
/// faster with a lane at a time, and there are never more below.
uint64_t Scheduler::lanesOfChain(const TaskLevel &state, uint64_t available) const {
  if (narrowDispatches < tunables::kNarrowDispatches || !state.task->isChain || limits.order != TaskOrder::Given ||
      !policy.measures || limits.elide != Elide::Cheaper || !mayElide(*state.task) || !areShort())
    return 0;
  return environment.hungry ? 1 : available;
}

bool Scheduler::isNarrow(const ActiveState &active) const {
  return narrowDispatches >= tunables::kNarrowDispatches && active.narrowVisits > tunables::kNarrowVisits &&
         active.wideBefore == wideDispatches;
}

/// Whether lanes run in vectors, take long by themselves and spawn nothing but such that do: vectors may then be slower
/// than one lane after the other, where lanes differ in what they do. In neither way can a part of one be shared.
bool Scheduler::isLongLeaf(const TaskLevel &state) const {
  const Pace &pace = state.active->pace;
  if (pace.length != TaskLength::Long || !policy.measures || !state.task->kernels[0].isVectorised())
    return false;
  for (uint32_t t = 0; !pace.isLeaf && t < state.task->numTargets; ++t) {
    const auto &target = reinterpret_cast<const TaskLevel &>(*state.active->spawns[t]);
    if (!target.active || target.active->pace.length != TaskLength::Long || !target.active->pace.isLeaf)
      return false;
  }
  return true;
}

/// Whether dispatches show in what the narrow levels took.
bool Scheduler::areShort() const {
  uint64_t dispatches = narrowDispatches - tunables::kNarrowDispatches / 2;
  return (environment.clock(environment.context) - narrowSince) / dispatches < tunables::kSlowTask;
}

/// Whether lanes of the current level, of whatever task, are not done.
bool Scheduler::levelAwaits() const {
  for (const TaskLevel *state = levels[current].tasks; state; state = state->next)
    if (state->active && awaits(*state))
      return true;
  return false;
}

bool Scheduler::mayElide(const TaskInfo &task) const {
  // The budget does not count elisions' stacks.
  bool isAllowed = limits.elide == Elide::Always || (limits.elide == Elide::Cheaper && !environment.budget);
  return task.hasElision && isAllowed && !hasNoStack && !environment.device;
}

/// Whether a device's lanes run as their elisions, sequential clones: where the budget has no room for what one lane,
/// and what it spawns, would need in the graph. What levels have already may still grow by a part of it.
bool Scheduler::lacksRoom(const TaskLevel &state, uint64_t index) const {
  if (!environment.device->elides || !state.task->hasElision || limits.elide == Elide::Never)
    return false;
  if (limits.elide == Elide::Always && index)
    return true;
  return !state.active && !data.leaves(leastBound(*state.task, index));
}

/// How many of `lanes` pre-sync lanes run as their elisions now. If none, whether those of the graph are a trial, and
/// ActiveState::unasked.
uint64_t Scheduler::lanesToElide(TaskLevel &state, uint64_t lanes, bool &isTrial) {
  ActiveState &active = *state.active;
  bool hasRoom = active.elision || arena.fits(sizeof(Elision), alignof(Elision)); // it can be done without
  if (!mayElide(*state.task) || !hasRoom) {
    active.unasked = ~uint32_t(0);
    return 0;
  }
  if (limits.elide == Elide::Always)
    return current ? lanes : 0;
  if (limits.order == TaskOrder::Shuffled) {
    if (random.below(4))
      return 0;
    lanes = 1 + random.below(lanes);
    pick(state, lanes, state.pre.size());
    return lanes;
  }
  if (!active.elision) {
    arena.subject = state.task->name;
    active.elision = arena.allocateArray<Elision>(1);
  }
  Elision &elision = *active.elision;
  if (!isTrying && elision.lanes) {
    isTrial = state.pre.size() > 1 || random.below(2); // lanes that come one by one may come in turns
    return 0;
  }
  bool leaf = !elision.wait && !isTrying && isLongLeaf(state);
  bool narrow = !elision.wait && !isTrying && isNarrow(active) && areShort();
  if (leaf || narrow || (!elision.wait && mayTry(active, *state.task))) {
    isTrial = true;
    elision.isLeaf = leaf;
    if (leaf) {
      lanes = lanes < abi::kMaxWave ? lanes : abi::kMaxWave; // as many as the graph would take
      elision.lanes = lanes < 16 ? 1 : uint32_t(lanes / 16);
      pickNeighbours(state, elision.lanes, lanes);
      return elision.lanes;
    }
    if (!narrow && (!elision.graph || elision.graph > 16 * tunables::kElidedSubtree))
      return 0;
    uint64_t each = elision.graph < elision.elided ? elision.elided : elision.graph;
    uint64_t most = 16 * tunables::kElidedSubtree / (each ? each : 1);
    most = most < lanes / 2 ? most : lanes / 2;
    most = most < tunables::kPickedLanes ? most : tunables::kPickedLanes;
    elision.lanes = most ? uint32_t(most) : 1;
    pickNeighbours(state, elision.lanes, lanes);
    return elision.lanes;
  }
  if (!elision.chosen) {
    active.unasked = elision.wait ? elision.wait : tunables::kAskAgain;
    elision.wait = 0;
    return 0;
  }
  elision.wait -= elision.wait != 0;
  uint64_t most = environment.hungry ? 16 * tunables::kShortBlock / elision.elided : lanes;
  return most < 1 ? 1 : most < lanes ? most : lanes;
}

/// Runs lanes that spawn nothing, need no frame and wait for nothing: calls. Where they cannot be called, none is from
/// then on.
void Scheduler::runElided(TaskLevel &state, uint64_t lanes, bool isTrial) {
  __atomic_store_n(&kernelName, state.task->name, __ATOMIC_RELAXED); // for reports only
  const KernelInfo &entry = *state.task->elision();
  abi::Wave &wave = dispatched.wave;
  wave = {state.pre.cursor.columns,
          state.pre.head,
          uint32_t(lanes),
          state.task->numKernels,
          nullptr,
          nullptr,
          wave.restarts,
          nullptr};
  Elision *elision = policy.measures ? state.active->elision : nullptr;
  // The clock takes as long as a few small tasks.
  if (elision && !isTrial && elision->elided * lanes < 16 * tunables::kSlowTask && ++untimed % tunables::kTimedElisions)
    elision = nullptr;
  // Long ones are more likely to be interrupted by other programs.
  bool isLong = elision && (elision->elided > 16 * tunables::kElidedSubtree || (isTrial && !elision->graph));
  auto *clock = isLong ? environment.ownClock : environment.clock;
  uint64_t start = elision ? clock(environment.context) : 0;
  bool ran = true;
  if (environment.device)
    environment.device->dispatch(environment.device->context, *state.task, /*restarts=*/false, &wave);
  else if (environment.callElided)
    ran = environment.callElided(environment.context, entry.run, &wave);
  else
    entry.run(&wave);
  __atomic_store_n(&kernelName, nullptr, __ATOMIC_RELAXED);
  if (!ran) {
    hasNoStack = true;
    return;
  }
  raise(totals.levels, current + 1);
  count(totals.elided, lanes);
  count(dispatchedLanes, lanes);
  if (elision) {
    uint64_t took = clock(environment.context) - start, before = elision->elided;
    elision->addElided(took, lanes);
    if (!isTrial)
      elision->addUntried(took / lanes, before);
  }
  state.pre.consume(lanes);
}

} // namespace cilk2gpu::rt
