// The scheduler's loop and its dispatches.
#include "core/Scheduler.h"
#include "core/PickElements.h"
#include "core/StepDispatch.h"

namespace cilk2gpu::rt {

Scheduler::Scheduler(const Environment &environment, Limits limits)
    : SchedulerState(environment, limits), elisions(*this), forms(*this), pacing(*this, elisions), device(*this),
      stealingPart(*this, *this), levelsPart(*this, stealingPart), order(levelsPart, policy), stepOrder(*this),
      yields{yieldColumns, 0, abi::kMaxLanes}, yieldColumns{yieldFrames, yieldSites} {
  dispatched.talloc = tallocInWave;
  if constexpr (kHasSteps) {
    hasQueues = environment.steps;
    if (environment.steps)
      dispatched.talloc = StepDispatch::talloc;
  }
  dispatched.wave.restarts = &yields;
}

abi::Cursor *Scheduler::root(const TaskInfo *task) {
  TaskLevel &state = taskLevel(0, task);
  if (!talloc(state.pre.cursor, 1))
    return nullptr;
  if constexpr (kHasSteps)
    if (stepOrder.isOn())
      stepOrder.noteRoot(state);
  return &state.pre.cursor;
}

uint64_t Scheduler::tallocInWave(abi::Wave *wave, uint32_t target, uint64_t wanted) {
  SchedulerState &self = *static_cast<DispatchedWave *>(reinterpret_cast<RunningWave *>(wave))->scheduler;
  return self.talloc(*wave->spawns[target], wanted);
}

//===--------------------------------------------------------------------------------------------------------------===//
// The loop
//===--------------------------------------------------------------------------------------------------------------===//

bool Scheduler::run(uint64_t base, uint64_t probeFor) {
  enter(bottom = lowest = base);
  stealingPart.start(base);
  pacing.start(base, probeFor);
  running = true;
  return goOn();
}

bool Scheduler::goOn() {
  for (;;) {
    if (environment.pause && environment.pause(environment.context))
      return false;
    bool yielded = dispatchLevel(current) == Progress::Yielded;
    if (spawnedInto(current + 1) && bottom < current + 1)
      bottom = current + 1;
    if (yielded && bottom == current)
      internalError("a lane yielded although the channels it spawns into are empty", current);
    LevelMove move = order.next(yielded);
    if (move == LevelMove::Stuck)
      internalError("elements are left that can never be dispatched", current);
    if (move == LevelMove::Drained && !leaveLevel())
      break;
  }
  running = false;
  return true;
}

/// The current level is empty, and so are deeper levels: goes one level up, or waits for blocks that were stolen.
/// Returns false if the run is over.
bool Scheduler::leaveLevel() {
  if (stealingPart.stolen(current)) {
    environment.await(environment.context, *this, current);
    return true;
  }
  stealingPart.repay(current);
  if (current == lowest)
    return false;
  bottom = current - 1;
  order.riseTo(bottom);
  return true;
}

/// Returns whether the wavefronts of the level above have left elements at level `index`, which they found empty.
bool Scheduler::spawnedInto(uint64_t index) {
  uint64_t elements = 0;
  for (TaskLevel *state = tasksAt(index); state; state = state->next)
    elements += state->pre.size();
  if (elements)
    count(totals.spawned, elements);
  return elements != 0;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Dispatching a level
//===--------------------------------------------------------------------------------------------------------------===//

/// Dispatches all that level `index` can run now, in the order that Scheduler.h gives.
Scheduler::Progress Scheduler::dispatchLevel(uint64_t index) {
  pacing.enterLevel();
  Progress result = hasQueues ? dispatchQueues(index) : Progress::None;
  if (result >= Progress::Deeper)
    return result;
  // Post-sync elements always come first: when their lanes have run, their frames serve pre-sync elements.
  return dispatchStages(
      tasksAt(index), Progress::Deeper, /*endsFirst=*/true, [&](TaskLevel &state) { return dispatchReady(state); },
      [&](TaskLevel &state) { return restartYielded(state); },
      [&](TaskLevel &state) { return dispatchFresh(state, index); });
}

/// Drains the queues of a level before anything else runs there, and so before anything of the level is left behind by
/// going deeper. With steps, dispatches all of the level that runs before a deeper level does.
Scheduler::Progress Scheduler::dispatchQueues(uint64_t index) {
  if constexpr (kHasSteps)
    if (stepOrder.isOn())
      return StepDispatch(*this).runLevel(index);
  Progress result = Progress::None;
  while (TaskLevel *queue = nextQueue(tasksAt(index), [](const TaskLevel &task) { return task.waits(); })) {
    result = restartYielded(*queue);
    if (result < Progress::Deeper)
      result = dispatchFresh(*queue, index);
    if (result >= Progress::Deeper)
      return result;
  }
  return result;
}

/// Counts lanes of kernel `k` that are dispatched fresh, in `wavefronts` wavefronts.
static void countFresh(const TaskLevel &state, uint32_t k, abi::KernelFn entry, uint64_t lanes, uint64_t wavefronts) {
  KernelCounters &counters = state.active->counters[k];
  if (!k) {
    state.active->taken += lanes;
    state.active->started += lanes;
  }
  count(counters.lanes, lanes);
  count(counters.wavefronts, wavefronts);
  if (entry != state.task->kernels[k].each)
    count(counters.vectorLanes, lanes);
}

Scheduler::Progress Scheduler::dispatchReady(TaskLevel &state) {
  if (!state.active)
    return Progress::None;
  ActiveState &active = *state.active;
  Progress result = Progress::None;
  for (uint32_t k = 1; k < state.task->numKernels; ++k) {
    while (uint64_t available = active.post(k).ready) {
      uint64_t lanes = pacing.lanesOf(active, available);
      abi::KernelFn entry = forms.choose(state.task->kernels[k], lanes);
      countFresh(state, k, entry, lanes, wavefronts(lanes));
      active.post(k).ready -= lanes;
      bool yielded = runWave(state, entry, active.post(k).channel, lanes, k);
      result = Progress::Dispatched;
      share();
      if (yielded)
        return Progress::Yielded;
      // As few lanes go on at a time as started together.
      if (active.pace.length != TaskLength::Short && awaits(state))
        return Progress::Deeper;
    }
  }
  if (active.pace.lanes && !active.yielded && !awaits(state))
    pacing.ends(state);
  return result;
}

Scheduler::Progress Scheduler::restartYielded(TaskLevel &state) {
  if (!state.active || !state.active->yielded)
    return Progress::None;
  ActiveState &active = *state.active;
  for (uint32_t k = 0; k < state.task->numKernels; ++k) {
    while (active.restarts && active.restarts[k] && active.restarts[k]->channel.size()) {
      OwnedChannel &source = active.restarts[k]->channel;
      if (!state.task->kernels[k].resume)
        internalError("a lane yielded in a kernel that cannot resume", current);
      uint64_t lanes = pacing.restartedLanes(source.size());
      count(active.counters[k].restartedLanes, lanes);
      count(active.counters[k].restartedWavefronts, 1);
      active.yielded -= uint32_t(lanes);
      bool yielded = runWave(state, state.task->kernels[k].resume, source, lanes, k);
      share();
      if (yielded)
        return Progress::Yielded;
    }
  }
  return Progress::Dispatched;
}

ActiveState &Scheduler::activate(TaskLevel &state, uint64_t index) {
  if (state.active)
    return *state.active;
  ActiveState &active = makeActive(state, index);
  active.spawnsPerLane = uint32_t(tunables::kSpawnsPerLane);
  if (active.band == &active.own)
    active.own.unasked = elisions.firstAsked(*state.task);
  pacing.guess(active, *state.task);
  return active;
}

/// Runs some of the pre-sync lanes as their elisions, if that is their way now. Returns whether it did. If not, sets
/// `isTrial` where the next lanes are the graph's part of a trial.
[[gnu::always_inline]] inline bool Scheduler::elideSome(TaskLevel &state, uint64_t available, bool &isTrial) {
  ActiveState &active = *state.active;
  elisions.countVisit(active, available);
  if (uint64_t lanes = elisions.lanesOfChain(state, available)) {
    elisions.run(state, lanes, isTrial);
    return true;
  }
  if (uint32_t &unasked = active.band->unasked) {
    --unasked;
    return false;
  }
  uint64_t lanes = elisions.lanesToElide(state, pacing.lanesOf(active, available), isTrial);
  if (!lanes)
    return false;
  // The first lanes of a trial find their code and their data out of the caches; the time of the others counts.
  uint64_t first = isTrial && !active.band->elision->isChildless ? lanes / 2 : 0;
  if (first)
    elisions.run(state, first, isTrial);
  elisions.run(state, lanes - first, isTrial);
  return true;
}

/// Runs pre-sync lanes in the graph.
[[gnu::always_inline]] inline Scheduler::Progress Scheduler::runFresh(TaskLevel &state, uint64_t lanes,
                                                                      bool fillsBelow) {
  ActiveState &active = *state.active;
  if (limits.order != TaskOrder::Given)
    lanes = rearrange(state, lanes);
  abi::KernelFn entry = forms.choose(state.task->kernels[0], lanes);
  countFresh(state, 0, entry, lanes, wavefronts(lanes));
  bool yielded = runWave(state, entry, state.pre, lanes, 0);
  share();
  if (yielded)
    return Progress::Yielded;
  pacing.countStarted(lanes);
  active.pace.isChildless = !awaits(state);
  if (!active.band->elision && elisions.isLongChildless(state))
    active.band->ask();
  if (active.pace.isChildless)
    pacing.ends(state);
  else if (pacing.goesDeeper(state, fillsBelow))
    return Progress::Deeper;
  return Progress::Dispatched;
}

Scheduler::Progress Scheduler::dispatchFresh(TaskLevel &state, uint64_t index) {
  Progress result = Progress::None;
  while (uint64_t available = state.pre.size()) {
    if (environment.device && device.lacksRoom(state, index)) {
      elisions.run(state, available < limits.block ? available : limits.block, /*isTrial=*/false);
      result = Progress::Dispatched;
      continue;
    }
    ActiveState &active = activate(state, index);
    bool isTrial = false;
    if (elideSome(state, available, isTrial)) {
      result = Progress::Dispatched;
      share();
      continue;
    }
    if (isTrial && levelAwaits())
      return Progress::Deeper; // the trial is about these lanes alone
    elisions.beginGraph(isTrial);
    bool fillsBelow;
    uint64_t lanes = pacing.freshLanes(state, available, fillsBelow);
    if (isTrial && lanes > elisions.mostOfTrial())
      lanes = elisions.mostOfTrial();
    if (state.task->frame && framesMissing(state, active, lanes))
      return result;
    result = runFresh(state, lanes, fillsBelow);
    if (result > Progress::Dispatched)
      break;
  }
  return result;
}

/// Puts the elements first that Limits::order wants to run now. Returns how many of them run.
uint64_t Scheduler::rearrange(TaskLevel &state, uint64_t lanes) {
  if (environment.device || limits.order == TaskOrder::Stepped) // with queues, steps do not choose
    return lanes;
  if (limits.order == TaskOrder::Reversed) {
    reverseElements(state);
    return 1;
  }
  lanes = 1 + random.below(lanes);
  pickElements(state, random, lanes, state.pre.size());
  return lanes;
}

/// Makes sure of a frame for each lane. If frames are short because others hold them, the lanes wait for those frames;
/// they are not dispatched in ever smaller wavefronts. The holders are at this level and go on when everything deeper
/// is done.
bool Scheduler::framesMissing(TaskLevel &state, ActiveState &active, uint64_t &lanes) {
  if (lanes > state.width)
    lanes = state.width;
  arena.subject = data.subject = frameData.subject = state.task->name;
  if (lanes > active.frames.total)
    lanes = active.frames.affordable(frameData, lanes, state.task->frame);
  uint64_t provided = active.frames.provide(frameData, lanes, state.width, state.task->frame);
  if (provided < lanes && active.frames.used())
    return true;
  lanes = provided; // fewer if others have taken what the budget had
  return false;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Running a wavefront
//===--------------------------------------------------------------------------------------------------------------===//

/// Runs one wavefront, or block of them, over the first elements of `source`, and consumes them. Returns whether a lane
/// yielded. Room for every lane to reach any sync is made first: afterwards nothing at this level moves while the
/// kernel runs.
bool Scheduler::runWave(TaskLevel &state, abi::KernelFn entry, OwnedChannel &source, uint64_t lanes, uint32_t kernel) {
  ActiveState &active = *state.active;
  const KernelInfo &info = state.task->kernels[kernel];
  bool restarts = entry == info.resume;
  arena.subject = data.subject = state.task->name;
  for (uint32_t k = 1; k < state.task->numKernels; ++k)
    active.post(k).channel.makeRoom(data, kPostLayout, lanes, kUnboundedChannel, tunables::kFirstElements);
  raise(totals.levels, current + 1);
  uint64_t freeBefore = active.frames.store.count, yieldsBefore = read(totals.yields);
  if (!restarts)
    count(dispatchedLanes, lanes);
  announce(info.name ? info.name : state.task->name);
  abi::Wave &wave = dispatched.wave;
  wave.lanes = uint32_t(lanes);
  wave.kernel = kernel;
  wave.spawns = active.spawns;
  wave.syncs = active.syncs;
  wave.frames = state.task->frame ? &active.frames.store : nullptr;
  if (environment.device) {
    device.run(state, restarts, source, lanes);
    source.consume(lanes);
  } else {
    wave.columns = source.cursor.columns;
    wave.first = source.head;
    dispatchedTask = &state;
    lanesInPre = &source == &state.pre ? lanes : 0;
    runOnHost(state, info, entry, lanes, source.size());
    lanesInPre = 0;
    source.consume(lanes);
    if (yields.next)
      restartChannel(state, kernel, yields.next).append(kRestartLayout, yieldColumns, 0, yields.next);
    countYields(active, yields.next);
  }
  announce(nullptr);
  countFrames(active, freeBefore);
  return read(totals.yields) != yieldsBefore;
}

void Scheduler::runOnHost(TaskLevel &state, const KernelInfo &info, abi::KernelFn entry, uint64_t lanes,
                          uint64_t available) {
  ActiveState &active = *state.active;
  abi::Wave &wave = dispatched.wave;
  yields.next = 0;
  bool starts = wave.kernel == 0 && entry != info.resume;
  bool measured = starts && pacing.beginsMeasuring(state, lanes, available);
  bool timed = environment.hungry && lanes >= active.block;
  uint64_t start = timed || measured ? clock() : 0;
  forms.start();
  if (wave.kernel == 0 || available > 1 || !inPlace.run(*this, state, entry))
    entry(&wave);
  forms.finish(info);
  if (timed)
    pacing.adaptBlock(active, start);
  if (measured)
    pacing.ran(state, info.isVectorised(), lanes, start);
}

void Scheduler::countFrames(ActiveState &active, uint64_t freeBefore) {
  if (active.frames.store.count > active.frames.total)
    internalError("a kernel gave back more frames than there are", current);
  framesInUse += freeBefore - active.frames.store.count;
  raise(totals.frames_high_water, framesInUse);
}

void Scheduler::share() {
  if (hungry())
    environment.share(environment.context, *this);
}

/// The kernel's counts of spawned elements are in their cursors. So the state is that between two dispatches, but for
/// the lanes of the wave, which are still elements of their channel (SchedulerState::lanesInPre).
void Scheduler::offer() {
  if (!stealingPart.mayOffer())
    return;
  stealingPart.beginOffer();
  environment.share(environment.context, *this);
  stealingPart.endOffer();
}

//===--------------------------------------------------------------------------------------------------------------===//
// Questions of others
//===--------------------------------------------------------------------------------------------------------------===//

Counters Scheduler::counters(const TaskTable &table) const {
  Counters result;
  result.combine(totals);
  taskCounters.addTo(result, table);
  result.memory_high_water = arena.highWater() + deviceArena.highWater() + frameArena.highWater();
  return result;
}

/// As many tasks as make enough together with the tasks that wait beside the loop: loops in loops would else be cut
/// into tasks of a few iterations each. Elements that wait at shallower levels are work for other workers; such an
/// element stands for twice as much as an element one level deeper.
uint64_t Scheduler::loopTasks() const {
  uint64_t beside = dispatched.wave.lanes;
  for (uint64_t index = current, weight = 1; beside < tunables::kLoopTasks; --index, weight *= 2) {
    uint64_t waiting = 0;
    for (const TaskLevel *state = levels[index].tasks; state; state = state->next)
      waiting += state->pre.size();
    if (index != current)
      beside += waiting * weight;
    else if (waiting > beside) // lanes that run are still among them, if they are pre-sync lanes
      beside = waiting;
    if (index == lowest || weight >= tunables::kLoopTasks)
      break;
  }
  return beside < tunables::kLoopTasks ? tunables::kLoopTasks / (beside ? beside : 1) : 1;
}

} // namespace cilk2gpu::rt

extern "C" int32_t __cilk2gpu_talloc(cilk2gpu::abi::Wave *wave, uint32_t target) {
  // A wave is the first member of a RunningWave.
  return reinterpret_cast<cilk2gpu::rt::RunningWave *>(wave)->talloc(wave, target, 1) != 0;
}

extern "C" void __cilk2gpu_offer(cilk2gpu::abi::Wave *wave) {
  using namespace cilk2gpu::rt;
  Scheduler::of(*reinterpret_cast<RunningWave *>(wave)).offer();
}

extern "C" uint64_t __cilk2gpu_talloc_lanes(cilk2gpu::abi::Wave *wave, uint32_t target, uint64_t lanes) {
  uint64_t wanted = uint64_t(__builtin_popcountll(lanes));
  uint64_t granted = reinterpret_cast<cilk2gpu::rt::RunningWave *>(wave)->talloc(wave, target, wanted);
  for (; wanted > granted; --wanted)
    lanes &= ~(uint64_t(1) << (63 - __builtin_clzll(lanes))); // the last one
  return lanes;
}
