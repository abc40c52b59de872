// See ElisionTrials.h.
#include "core/ElisionTrials.h"
#include "core/LaneEstimates.h"
#include "core/PickElements.h"

namespace cilk2gpu::rt {

using namespace tunables;

bool ElisionTrials::mayElide(const TaskInfo &task) const {
  const Limits &limits = shared.limits;
  // With a budget, elisions are off by default, because the budget does not count their stacks.
  bool isAllowed = limits.elide == Elide::Always || (limits.elide == Elide::Cheaper && !shared.environment.budget);
  return task.hasElision && isAllowed && !hasNoStack && !shared.environment.device;
}

namespace {
/// The elements of a range task that wait at a level.
class RangeColumns {
public:
  explicit RangeColumns(const TaskLevel &state)
      : columns(reinterpret_cast<uint64_t *const *>(state.pre.cursor.columns)), head(state.pre.head) {}

  uint64_t count(uint64_t lane) const { return columns[1][head + lane] - columns[0][head + lane]; }
  /// Returns whether the lane runs its iterations, and does not halve them.
  bool isWhole(uint64_t lane) const { return count(lane) <= columns[2][head + lane]; }

private:
  uint64_t *const *columns; ///< low, high, grain
  uint64_t head;
};
} // namespace

/// Returns whether a task runs iterations of a cilk_for one after the other, as its elision does.
static bool isPlainRange(const TaskInfo &task) { return task.isRange && !task.kernels[0].isVectorised(); }

/// Returns whether the iterations of a range spawn nothing.
static bool spawnsOnlyHalves(const TaskInfo &range) {
  return !range.numTargets || (range.numTargets == 1 && range.targets[0] == &range);
}

/// Returns whether a task runs iterations of a cilk_for that spawn nothing, in vectors.
static bool isVectorRange(const TaskInfo &task) {
  return task.isRange && !isPlainRange(task) && spawnsOnlyHalves(task);
}

/// Returns whether ranges run as plain ranges do, also because trials have shown that vectors do not pay.
static bool runsAsPlainRange(const TaskInfo &task) {
  return isPlainRange(task) || (isVectorRange(task) && task.upper.verdict() == UpperTrials::Verdict::Elision);
}

uint32_t ElisionTrials::firstAsked(const TaskInfo &task) const {
  bool isAsked = shared.limits.elide == Elide::Always || shared.limits.order == TaskOrder::Shuffled;
  if (mayElide(task) && (isAsked || (shared.policy.elides && runsAsPlainRange(task))))
    return 0;
  return shared.policy.elides ? 1 : ~uint32_t(0);
}

/// Returns whether a trial may begin. Deeper levels have their trials first, unless they run less often: at the end of
/// a lopsided recursion some levels hardly ever run.
bool ElisionTrials::mayTry(const ActiveState &active, const TaskInfo &task) const {
  if (tried)
    return false;
  for (uint32_t t = 0; t < task.numTargets; ++t) {
    const ActiveState *deeper = SchedulerState::taskLevelOf(*active.spawns[t]).active;
    if (deeper && deeper->band != active.band && deeper->band->elision &&
        deeper->band->elision->trials < kFirstTrials && deeper->starts >= active.starts)
      return false;
  }
  return true;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Narrow levels and long childless tasks
//===--------------------------------------------------------------------------------------------------------------===//

/// Counts narrow levels, that is, levels of a few lanes. In the graph they are expensive unless their tasks are long.
/// In a recursion of narrow levels no level would ever begin a trial, because deeper levels come first and all subtrees
/// take long. So, if no wide level ran for a while, a level that was passed before tries its elision at once,
/// even if the elision takes long. There was no work to share and no vector to fill.
void ElisionTrials::countNarrow(ActiveState &active) {
  if (++narrowDispatches == kNarrowDispatches / 2 && shared.policy.elides)
    narrowSince = shared.clock();
  LevelBand &band = *active.band;
  if (band.wideBefore != wideDispatches) {
    band.wideBefore = wideDispatches;
    band.narrowPasses = 0;
  }
  band.narrowPasses += shared.current <= band.visited;
  band.visited = shared.current;
  if (!active.band->elision && shared.policy.elides && isNarrow(active))
    active.band->ask();
}

/// Returns the lanes of a narrow chain that run as elisions: with one lane at a time the graph is not faster, and there
/// are never more lanes below. Returns one lane if other workers may wait for work.
uint64_t ElisionTrials::lanesOfNarrowChain(const TaskLevel &state, uint64_t available) const {
  if (!shared.policy.elides || shared.limits.elide != Elide::Cheaper || !mayElide(*state.task) || !areShort())
    return 0;
  return shared.environment.hungry ? 1 : available;
}

bool ElisionTrials::isNarrow(const ActiveState &active) const {
  return narrowDispatches >= kNarrowDispatches && active.band->narrowPasses > kNarrowPasses &&
         active.band->wideBefore == wideDispatches;
}

/// Returns whether the narrow levels took so little time that the cost of dispatches matters.
bool ElisionTrials::areShort() const {
  uint64_t dispatches = narrowDispatches - kNarrowDispatches / 2;
  return (shared.clock() - narrowSince) / dispatches < kSlowTask;
}

/// Returns whether a task runs in vectors, and spawns nothing or only long childless tasks. For long tasks of this
/// kind, vectors may be slower than one lane after the other, if lanes take different paths. In neither way can a part
/// of a task be handed over.
bool ElisionTrials::isChildlessInVectors(const TaskLevel &state) const {
  const Pace &pace = state.active->pace;
  if (!shared.policy.elides || !state.task->kernels[0].isVectorised())
    return false;
  for (uint32_t t = 0; !pace.isChildless && t < state.task->numTargets; ++t) {
    const ActiveState *target = SchedulerState::taskLevelOf(*state.active->spawns[t]).active;
    if (!target || target->pace.length != TaskLength::Long || !target->pace.isChildless)
      return false;
  }
  return true;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Choosing lanes
//===--------------------------------------------------------------------------------------------------------------===//

/// Makes the record of a band's elisions if it is new. Returns false if there is no memory, because elisions are
/// optional.
bool ElisionTrials::provideElision(LevelBand &band, const TaskInfo &task) {
  if (band.elision)
    return true;
  if (!shared.arena.fits(sizeof(Elision), alignof(Elision)))
    return false;
  shared.arena.subject = task.name;
  band.elision = shared.arena.allocateArray<Elision>(1);
  return true;
}

/// Returns whether the task spawns other tasks, and all of them run as elisions, or spawn only such tasks.
static bool areChildrenElided(const TaskLevel &state) {
  for (uint32_t t = 0; t < state.task->numTargets; ++t) {
    const ActiveState *target = SchedulerState::taskLevelOf(*state.active->spawns[t]).active;
    const Elision *elision = target ? target->band->elision : nullptr;
    if (!elision || !(elision->chosen || elision->isAboveElisions))
      return false;
  }
  return state.task->numTargets != 0;
}

/// Returns the nanoseconds of the longest lanes whose elisions are tried.
static uint64_t longestElided(const TaskLevel &state) {
  if (!areChildrenElided(state))
    return kElidedSubtree;
  for (uint32_t t = 0; t < state.task->numTargets; ++t)
    if (SchedulerState::taskLevelOf(*state.active->spawns[t]).active->band->elision->share() > kDearShare)
      return kDearElidedSubtree;
  return kElidedSubtree;
}

/// Returns whether the tasks of one level spawn the tasks of another.
static bool spawnsInto(const TaskLevel &above, const TaskLevel &state) {
  for (uint32_t t = 0; t < above.task->numTargets; ++t)
    if (above.task->targets[t] == state.task)
      return true;
  return false;
}

/// Once a level runs as elisions, the levels above it are asked as soon as they are reached.
void ElisionTrials::askAbove(uint64_t index, const TaskLevel &state) {
  for (TaskLevel *above = index ? shared.tasksAt(index - 1) : nullptr; above; above = above->next)
    if (above->active && spawnsInto(*above, state))
      above->active->band->ask();
}

/// Returns whether levels of a task learn from one another. The levels of a band differ, and so do ranges of
/// iterations.
static bool mayFollow(const TaskInfo &task, uint64_t index) { return index < kSingleLevels && !task.isRange; }

/// Lets a level that had no trial run as elisions if other levels show that this is the better way, and returns whether
/// it does. Above elisions, the graph would only add dispatches. With a trial of a whole block at each level of a
/// recursion, runs of 10 ms ended before half of the levels had decided. `each` is the estimate of a lane's time.
bool ElisionTrials::followsOthers(const TaskLevel &state, bool isUpper, uint64_t each) {
  Elision &elision = *state.active->band->elision;
  uint64_t above;
  if (isAboveElisions(state, above) && above <= 16 * kElidedSubtree)
    elision.adopt(above);
  else if (isUpper && state.task->upper.verdict() == UpperTrials::Verdict::Elision)
    elision.follow(true, each);
  else
    return false;
  askAbove(shared.current, state);
  return true;
}

/// For a schedule that a seed repeats: returns any number of lanes, now and then.
uint64_t ElisionTrials::shuffledLanes(TaskLevel &state, uint64_t lanes) {
  if (shared.random.below(kShuffledElisions))
    return 0;
  lanes = 1 + shared.random.below(lanes);
  pickElements(state, shared.random, lanes, state.pre.size());
  return lanes;
}

/// Returns the lanes of a plain range that run as elisions. An elision runs the same iterations as the graph, without
/// the halves, so there is nothing to compare. Without other workers, it is always the better way. With others, ranges
/// run as elisions if they are short, or if nothing of them could be handed over. A range that would be halved no more
/// is timed first.
uint64_t ElisionTrials::lanesOfRanges(TaskLevel &state, uint64_t lanes) {
  if (!isPlainRange(*state.task))
    state.task->upper.follow();
  if (!shared.environment.hungry)
    return lanes;
  IterationTime &iteration = state.task->iteration;
  RangeColumns ranges(state);
  if (!iteration.isKnown())
    return ranges.isWhole(0) ? 1 : 0;
  uint64_t chosen = 0;
  for (uint64_t took = 0; chosen < lanes && took < kShortBlock; ++chosen) {
    uint64_t each = iteration.timeOf(ranges.count(chosen));
    if (each > kElidedRange)
      break;
    took += each;
  }
  if (!chosen && ranges.isWhole(0) && spawnsOnlyHalves(*state.task))
    return 1;
  if (!chosen && ranges.isWhole(0)) {
    state.active->band->unasked = kAskAgain; // then one is timed again
    iteration.forget();
  }
  return chosen;
}

/// Begins a trial with a sixteenth of the lanes that the graph would take at once.
uint64_t ElisionTrials::beginChildlessTrial(TaskLevel &state, uint64_t lanes) {
  Elision &elision = *state.active->band->elision;
  elision.isUpper = false;
  mostTried = ~uint64_t(0);
  lanes = lanes < abi::kMaxWave ? lanes : abi::kMaxWave;
  elision.lanes = lanes < kChildlessTrialPart ? 1 : uint32_t(lanes / kChildlessTrialPart);
  pickNeighbours(state, shared.random, elision.lanes, lanes);
  return elision.lanes;
}

/// Returns the nanoseconds that trials of long elisions may take now.
uint64_t ElisionTrials::timeForLongTrials() {
  uint64_t now = shared.ownClock();
  if (!began)
    began = now;
  uint64_t allowed = (now - began) / kLongTrialsPart;
  return allowed > spent ? allowed - spent : 0;
}

/// Begins a trial with as many lanes as take kElidedSubtree nanoseconds together, but at most with half of `lanes`. If
/// lanes may take longer, they first run in the graph alone.
uint64_t ElisionTrials::beginTrial(TaskLevel &state, uint64_t lanes, bool isNarrowLevel) {
  Elision &elision = *state.active->band->elision;
  elision.longest = longestElided(state);
  elision.isUpper = false;
  mostTried = ~uint64_t(0);
  elision.isExtended = !isNarrowLevel && elision.graph > 16 * elision.longest;
  if (!isNarrowLevel && (!elision.graph || (elision.isExtended && elision.graph > 16 * timeForLongTrials())))
    return 0;
  uint64_t each = elision.graph < elision.elided ? elision.elided : elision.graph;
  uint64_t most = 16 * kElidedSubtree / (each ? each : 1);
  most = most < lanes / 2 ? most : lanes / 2;
  most = most < kPickedLanes ? most : kPickedLanes;
  elision.lanes = most ? uint32_t(most) : 1;
  pickNeighbours(state, shared.random, elision.lanes, lanes);
  return elision.lanes;
}

/// Returns whether lanes that probably take `each` sixteenths of a nanosecond take nearly as long as elisions may, and
/// whether a trial of theirs costs little. If the graph has won the last trial, trials take a 64th of the time.
bool ElisionTrials::isUpperLane(const TaskInfo &task, uint64_t each) {
  if (each > 16 * kElidedSubtree || each < 16 * kElidedSubtree / kUpperPart)
    return false;
  return each <= 16 * task.upper.longest() || each * kLostUpperLanes <= 16 * timeForLongTrials();
}

/// Begins a trial of a level whose lanes take nearly as long as elisions may. Only two lanes run as elisions until
/// these do not lose, because vectors may be much faster. The lanes of both ways are neighbours, whose subtrees are
/// alike. A whole block would take milliseconds in the graph, and too few lanes would not fill its vectors.
uint64_t ElisionTrials::beginUpperTrial(TaskLevel &state, uint64_t lanes, uint64_t each) {
  Elision &elision = *state.active->band->elision;
  elision.longest = longestElided(state);
  elision.isExtended = false;
  elision.isUpper = true;
  elision.graph = elision.graph ? elision.graph : each;
  uint64_t most = 16 * kUpperTrial / (elision.graph < elision.elided ? elision.elided : elision.graph);
  mostTried = most < kScalarLanes ? kScalarLanes : most;
  most = !elision.trials || elision.share() < kClearShare ? 2 : most ? most : 1;
  elision.lanes = uint32_t(most < lanes / 2 ? most : lanes / 2);
  uint64_t all = elision.lanes + mostTried;
  pickNeighbours(state, shared.random, all < lanes ? all : lanes, lanes);
  return elision.lanes;
}

/// Returns the lanes that run as elisions between trials, if the elision is chosen: all, or, if other workers may wait
/// for work, as many as take little time.
uint64_t ElisionTrials::chosenLanes(ActiveState &active, uint64_t lanes) const {
  Elision &elision = *active.band->elision;
  if (elision.chosen && elision.isLong() && elision.surprises != surprises)
    elision.forget();
  if (!elision.chosen) {
    active.band->unasked = elision.wait ? elision.wait : kAskAgain;
    elision.wait = 0;
    return 0;
  }
  elision.wait -= elision.wait != 0;
  uint64_t most = shared.environment.hungry ? 16 * kShortBlock / elision.elided : lanes;
  return most < 1 ? 1 : most < lanes ? most : lanes;
}

uint64_t ElisionTrials::lanesToElide(TaskLevel &state, uint64_t lanes, bool &isTrial) {
  ActiveState &active = *state.active;
  if (!mayElide(*state.task)) {
    active.band->unasked = ~uint32_t(0);
    return 0;
  }
  if (shared.limits.elide == Elide::Always)
    return shared.current ? lanes : 0;
  if (shared.limits.order == TaskOrder::Shuffled)
    return shuffledLanes(state, lanes);
  if (runsAsPlainRange(*state.task))
    return lanesOfRanges(state, lanes);
  bool isRange = isVectorRange(*state.task);
  if (isRange && !RangeColumns(state).isWhole(0))
    return 0; // only parts that are halved no more have trials
  bool mayBegin = !tried && !(active.band->elision && active.band->elision->wait);
  bool mayFollowOthers = mayFollow(*state.task, shared.current);
  uint64_t each = mayBegin && mayFollowOthers ? estimatedLane(state, /*isShared=*/shared.environment.hungry) : 0;
  bool isUpper = isUpperLane(*state.task, each);
  if (!active.band->elision && !isUpper && !isRange && active.band->early) {
    --active.band->early;
    return 0;
  }
  if (!provideElision(*active.band, *state.task)) {
    active.band->unasked = ~uint32_t(0);
    return 0;
  }
  Elision &elision = *active.band->elision;
  if (!tried && elision.lanes) {
    isTrial = state.pre.size() > 1 || shared.random.below(2); // lanes that come one by one may alternate between two
                                                              // kinds
    return 0;
  }
  if (mayBegin && mayFollowOthers && !elision.trials && followsOthers(state, isUpper, each))
    return chosenLanes(active, lanes);
  if (tried && mayFollowOthers && !elision.trials && !elision.chosen)
    return 0; // asks again soon
  if (isUpper && mayBegin && lanes > 1) {
    isTrial = true;
    return beginUpperTrial(state, lanes, each);
  }
  bool childless = mayBegin && isLongChildless(state), narrow = mayBegin && isNarrow(active) && areShort();
  if (!childless && !narrow && (elision.wait || !mayTry(active, *state.task)))
    return chosenLanes(active, lanes);
  isTrial = true;
  elision.isChildless = childless;
  return childless ? beginChildlessTrial(state, lanes) : beginTrial(state, lanes, narrow);
}

//===--------------------------------------------------------------------------------------------------------------===//
// Running
//===--------------------------------------------------------------------------------------------------------------===//

/// Returns whether a dispatch of elisions is timed. Reading the clock takes as long as a few small tasks, so few
/// dispatches of short elisions are timed.
bool ElisionTrials::isTimed(const Elision &elision, uint64_t lanes, bool isTrial) {
  return isTrial || elision.elided * lanes >= 16 * kSlowTask || ++untimed % kTimedElisions == 0;
}

/// Calls the elisions of the first lanes; returns false if there is no stack for them.
bool ElisionTrials::call(TaskLevel &state, uint64_t lanes) {
  const Environment &environment = shared.environment;
  const KernelInfo &entry = *state.task->elision();
  abi::Wave &wave = shared.dispatched.wave;
  wave = abi::Wave{.columns = state.pre.cursor.columns,
                   .first = state.pre.head,
                   .lanes = uint32_t(lanes),
                   .kernel = state.task->numKernels,
                   .spawns = nullptr,
                   .syncs = nullptr,
                   .restarts = wave.restarts,
                   .frames = nullptr,
                   .hungry = wave.hungry};
  if (environment.device)
    environment.device->dispatch(environment.device->context, *state.task, /*restarts=*/false, &wave);
  else if (environment.callElided)
    return environment.callElided(environment.context, entry.run, &wave);
  else
    entry.run(&wave);
  return true;
}

/// Calls the elisions of the first lanes, which are then done. Returns false if there is no stack for them.
bool ElisionTrials::runUntimed(TaskLevel &state, uint64_t lanes) {
  shared.announce(state.task->name);
  hasNoStack = !call(state, lanes);
  shared.announce(nullptr);
  if (hasNoStack)
    return false;
  raise(shared.totals.levels, shared.current + 1);
  count(shared.totals.elided, lanes);
  if (state.active)
    state.active->taken += lanes;
  count(shared.dispatchedLanes, lanes);
  state.pre.consume(lanes);
  return true;
}

/// Runs lanes of a plain range, at this worker's turn. Notes the time of an iteration if it matters.
void ElisionTrials::runRanges(TaskLevel &state, uint64_t lanes) {
  uint64_t iterations = 0;
  for (uint64_t lane = 0; lane < lanes && shared.environment.hungry; ++lane)
    iterations += RangeColumns(state).count(lane);
  if (!iterations) {
    runUntimed(state, lanes);
    return;
  }
  Contention::Visit visit;
  while (!state.task->contention.enter(shared.clock(), visit))
    shared.environment.nap(shared.environment.context, kTurnNap);
  bool hasRun = runUntimed(state, lanes);
  uint64_t now = shared.clock();
  bool isTypical = state.task->contention.leave(visit, iterations, now);
  if (hasRun && isTypical)
    state.task->iteration.note(now - visit.start, iterations);
}

void ElisionTrials::run(TaskLevel &state, uint64_t lanes, bool isTrial) {
  if (runsAsPlainRange(*state.task))
    return runRanges(state, lanes);
  Elision *elision = shared.policy.elides ? state.active->band->elision : nullptr;
  if (elision && !isTimed(*elision, lanes, isTrial))
    elision = nullptr;
  // Long elisions are more likely to be interrupted by other programs.
  bool isLong = elision && (elision->elided > 16 * kElidedSubtree || (isTrial && !elision->graph));
  auto *clock = isLong ? shared.environment.ownClock : shared.environment.clock;
  uint64_t start = elision ? clock(shared.environment.context) : 0;
  if (!runUntimed(state, lanes) || !elision)
    return;
  uint64_t took = clock(shared.environment.context) - start, before = elision->elided;
  elision->addElided(took, lanes);
  if (isTrial && (elision->isExtended || elision->isUpper))
    spent += took;
  if (!isTrial && elision->addUntried(took / lanes, before)) {
    ++surprises;
    countWide();
  }
}

//===--------------------------------------------------------------------------------------------------------------===//
// The graph's part of a trial
//===--------------------------------------------------------------------------------------------------------------===//

/// Lanes that may take long are timed by the processor time of the worker, because other programs are more likely to
/// interrupt them.
void ElisionTrials::graphStarts(Elision &elision, uint64_t lanes) const {
  bool isLong = !elision.graph || elision.graph * lanes > 16 * kElidedSubtree;
  elision.started = isLong ? shared.ownClock() : 0;
}

bool ElisionTrials::graphRan(const TaskLevel &state) {
  if (!triesGraph)
    return false;
  triesGraph = false;
  tried = &state;
  triedAt = shared.current;
  triedVisits = 0;
  state.active->band->elision->handedOver = read(shared.totals.stolen_blocks);
  return true;
}

/// Returns whether elisions of a level's tasks would run lanes one by one that the graph runs in vectors.
static bool losesVectors(const TaskInfo &task) {
  bool loses = task.prefersVectors();
  for (uint32_t t = 0; t < task.numTargets; ++t)
    loses |= task.targets[t]->prefersVectors();
  return loses;
}

/// Returns the nanoseconds that the graph's lanes of the trial have taken.
uint64_t ElisionTrials::triedTime() const {
  uint64_t started = tried->active->band->elision->started;
  return started ? shared.ownClock() - started : shared.clock() - tried->active->pace.start;
}

/// Returns the nanoseconds after which the graph has lost the trial. Without elided lanes, the trial only finds out
/// whether lanes take too long to be elided.
uint64_t ElisionTrials::lostTime() const {
  const Elision &elision = *tried->active->band->elision;
  return (elision.lanes ? kLostTrial * elision.elided / 16 : elision.longest) * tried->active->pace.lanes;
}

/// Notes the result of a trial of an upper level, and decides if the last trials of the task agree.
static void endUpperTrial(const TaskInfo &task, Elision &elision) {
  task.upper.note(elision.graph * 65536 / (elision.graph + elision.elided));
  UpperTrials::Verdict verdict = task.upper.verdict();
  if (verdict != UpperTrials::Verdict::Unknown && elision.trials < kFirstTrials)
    elision.follow(verdict == UpperTrials::Verdict::Elision, 0);
}

/// Notes the result of a trial of ranges that run in vectors, at a level. Once they run as elisions, levels of larger
/// ranges are asked at once.
static void endRangeTrial(SchedulerState &shared, uint64_t triedAt, const TaskInfo &range, const Elision &elision) {
  range.upper.note(elision.graph * 65536 / (elision.graph + elision.elided));
  if (range.upper.verdict() != UpperTrials::Verdict::Elision)
    return;
  for (uint64_t index = 0; index <= triedAt; ++index)
    for (TaskLevel *level = shared.tasksAt(index); level; level = level->next)
      if (level->task == &range && level->active)
        level->active->band->ask();
}

/// Ends the trial.
void ElisionTrials::endTrial() {
  const TaskLevel &state = *tried;
  const ActiveState &active = *state.active;
  Elision &elision = *active.band->elision;
  uint64_t took = triedTime();
  bool isLost = took > lostTime();
  tried = nullptr;
  // If blocks were handed over in the meantime, other workers did a part of the work, so a short time says nothing.
  if (elision.handedOver != read(shared.totals.stolen_blocks) && !isLost)
    return;
  bool wasChosen = elision.chosen, wasCompared = elision.lanes, wasExtended = wasCompared && elision.isExtended;
  elision.surprises = surprises;
  elision.isAboveElisions = areChildrenElided(state);
  bool hasVectors = losesVectors(*state.task) && !elision.isAboveElisions;
  elision.addGraph(took, active.pace.lanes, hasVectors);
  if (wasCompared && isVectorRange(*state.task))
    endRangeTrial(shared, triedAt, *state.task, elision);
  else if (wasCompared && elision.isUpper)
    endUpperTrial(*state.task, elision);
  else if (!wasCompared && !hasVectors && !elision.trials && mayFollow(*state.task, triedAt) &&
           elision.graph <= 16 * kElidedSubtree)
    elision.adopt(elision.graph); // the graph runs one lane after the other, too, and is hardly ever faster
  if (wasExtended && elision.chosen)
    spent = 0; // the trials have saved time
  if (!wasChosen && elision.chosen)
    askAbove(triedAt, state);
}

void ElisionTrials::graphEnds(const TaskLevel &state, uint64_t took) {
  if (tried == &state)
    endTrial();
  else if (Elision *elision = state.active->band->elision)
    elision->addUntriedGraph(took, state.active->pace.lanes);
}

/// Ends the trial if the graph's lanes have taken so long that it is decided. In a chain of 200,000 levels, the
/// graph may take 50 times as long as the elision.
void ElisionTrials::endLostTrial() {
  if (shared.clock() - tried->active->pace.start > lostTime() && triedTime() > lostTime())
    endTrial();
}

} // namespace cilk2gpu::rt
