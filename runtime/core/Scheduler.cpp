// The scheduler's loop and its dispatches; making levels and handing blocks to others is in SchedulerLevels.cpp, what
// runs as serial elisions in SchedulerElisions.cpp.
#include "core/Scheduler.h"

namespace cilk2gpu::rt {

static const abi::FieldRecord restartFields[] = {{sizeof(void *), alignof(void *)},
                                                 {sizeof(uint32_t), alignof(uint32_t)}};
static constexpr uint64_t kUnbounded = ~uint64_t(0);
static const ElementLayout kPostLayout = {restartFields, 1};
static const ElementLayout kRestartLayout = {restartFields, 2};

/// An order other than that of the policies replaces them where the scheduler runs kernels itself.
static PolicyKind choose(const Environment &environment, const Limits &limits) {
  return limits.order == TaskOrder::Given || environment.device ? limits.policy : PolicyKind::Levelized;
}

Scheduler::Scheduler(const Environment &environment, Limits limits)
    : environment(environment), limits(limits), policyKind(choose(environment, limits)), policy(policyOf(policyKind)),
      arena(environment), deviceArena(environment, Arena::Memory::Device),
      frameArena(environment, Arena::Memory::Frames),
      data(environment.device && environment.device->allocate ? deviceArena : arena),
      frameData(environment.device && environment.device->allocate ? deviceArena : frameArena), random(limits.seed),
      dispatched{}, yields{yieldColumns, 0, abi::kMaxLanes}, yieldColumns{yieldFrames, yieldSites} {
  dispatched.talloc = tallocInWave;
  dispatched.scheduler = this;
  dispatched.wave.restarts = &yields;
}

void Scheduler::internalError(const char *what, uint64_t index) {
  const char *task = index < numLevels && levels[index].tasks ? levels[index].tasks->task->name : nullptr;
  environment.fail(environment.context, {FailureKind::InternalError, what, task, index});
  __builtin_unreachable();
}

abi::Cursor *Scheduler::root(const TaskInfo *task) {
  TaskLevel &state = taskLevel(0, task);
  return talloc(state.pre.cursor, 1) ? &state.pre.cursor : nullptr;
}

uint64_t Scheduler::tallocInWave(abi::Wave *wave, uint32_t target, uint64_t wanted) {
  Scheduler &self = *static_cast<DispatchedWave *>(reinterpret_cast<RunningWave *>(wave))->scheduler;
  return self.talloc(*wave->spawns[target], wanted);
}

uint64_t Scheduler::talloc(abi::Cursor &target, uint64_t wanted) {
  // A Cursor in Wave::spawns is the first member of a channel that is the first member of a TaskLevel.
  TaskLevel &state = reinterpret_cast<TaskLevel &>(target);
  arena.subject = data.subject = state.task->name;
  uint64_t first = dispatched.wave.lanes > tunables::kFirstElements ? dispatched.wave.lanes : tunables::kFirstElements;
  if (first > state.width)
    first = state.width;
  uint64_t size = state.pre.size(), free = size < state.width ? state.width - size : 0;
  if (wanted > free)
    wanted = free;
  return wanted && state.pre.makeRoom(data, state.task->element, wanted, state.width, first) ? wanted : 0;
}

/// Asks for memory that will be read or written soon; null is none.
static void fetch(const void *memory, uint64_t bytes) {
  for (uint64_t at = 0; memory && at < bytes; at += tunables::kCacheLine)
    __builtin_prefetch(static_cast<const char *>(memory) + at, 1);
}

bool Scheduler::run(uint64_t base, uint64_t probeFor) {
  enter(bottom = shallowest = lowest = probed = base);
  probeUntil = probeFor ? environment.clock(environment.context) + probeFor : 0;
  running = true;
  return goOn();
}

bool Scheduler::goOn() {
  for (;;) {
    if (environment.pause && environment.pause(environment.context))
      return false;
    Progress progress = dispatchLevel(current);
    if (spawnedInto(current + 1) && bottom < current + 1)
      bottom = current + 1;
    if (bottom > current) {
      if (policy.followsEdges && progress != Progress::Yielded && riseToReady())
        continue;
      enter(current + 1);
      fetchAhead(+1);
      continue;
    }
    if (progress == Progress::Yielded)
      internalError("a lane yielded although the channels it spawns into are empty", current);
    if (makeReady(current))
      continue;
    if (holdsElements(current))
      internalError("elements are left that can never be dispatched", current);
    if (stolen(current)) {
      environment.await(environment.context, *this, current);
      continue;
    }
    repay(current);
    if (current == lowest)
      break;
    enter(bottom = current - 1);
    fetchAhead(-1);
    if (shallowest > current)
      shallowest = current;
    if (policy.endsFirst)
      makeReady(current);
  }
  running = false;
  return true;
}

/// A deep recursion is out of the cache where it comes back: gets what levels keep that are some steps ahead.
void Scheduler::fetchAhead(int64_t step) const {
  if (environment.device)
    return;
  uint64_t next = current + uint64_t(3 * step), afterNext = next + uint64_t(3 * step); // no level if they wrap around
  if (afterNext < numLevels)
    fetch(levels[afterNext].tasks, sizeof(TaskLevel));
  if (next < numLevels && levels[next].tasks && levels[next].tasks->active)
    fetch(levels[next].tasks->active, tunables::kLevelBytes);
}

/// Dispatches all that level `index` can run now: post-sync elements that are ready first, whose frames pre-sync ones
/// may then have.
Scheduler::Progress Scheduler::dispatchLevel(uint64_t index) {
  TaskLevel *tasks = index < numLevels ? levels[index].tasks : nullptr;
  Progress result = Progress::None;
  auto each = [&](auto &&dispatch) {
    for (TaskLevel *state = tasks; state && result < Progress::Deeper; state = state->next) {
      Progress progress = dispatch(*state);
      result = progress > result ? progress : result;
    }
  };
  started = 0;
  if (hasQueues && (result = dispatchQueues(index)) >= Progress::Deeper)
    return result;
  each([&](TaskLevel &state) { return dispatchReady(state); });
  each([&](TaskLevel &state) { return restartYielded(state); });
  each([&](TaskLevel &state) { return dispatchFresh(state, index); });
  return result;
}

/// Drains the queues of a level before anything else runs there, and so before anything of the level is left behind by
/// going deeper. A queue is drained after the queues that its elements lead to. All levels together therefore never
/// hold more elements of a queue than one level does.
Scheduler::Progress Scheduler::dispatchQueues(uint64_t index) {
  Progress result = Progress::None;
  for (;;) {
    TaskLevel *next = nullptr;
    for (TaskLevel *state = index < numLevels ? levels[index].tasks : nullptr; state; state = state->next) {
      bool holds = state->task->isQueue() && (state->pre.size() || (state->active && state->active->yielded));
      if (holds && (!next || state->task->rank < next->task->rank))
        next = state;
    }
    if (!next)
      return result;
    result = restartYielded(*next);
    if (result < Progress::Deeper)
      result = dispatchFresh(*next, index);
    if (result >= Progress::Deeper)
      return result;
  }
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
      uint64_t lanes = restartedLanes(source.size());
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

/// Whether a task and all that it spawns run in vectors, so that more of it fills more vectors below.
bool Scheduler::feedsVectors(const TaskLevel &state) const {
  bool feeds = state.task->kernels[0].isVectorised();
  for (uint32_t t = 0; t < state.task->numTargets; ++t)
    feeds &= reinterpret_cast<const TaskLevel &>(*state.active->spawns[t]).task->kernels[0].isVectorised();
  return feeds;
}

/// Whether a channel one level deeper than the current one is more than half full.
bool Scheduler::isHalfFullBelow() const {
  for (const TaskLevel *state = current + 1 < numLevels ? levels[current + 1].tasks : nullptr; state;
       state = state->next)
    if (state->pre.size() * 2 > state->width)
      return true;
  return false;
}

/// What the policy sees of a task at the current level.
struct Scheduler::PolicyView {
  const Scheduler &scheduler;
  const TaskLevel &state;
  bool fillsBelow = false;

  uint64_t started() const { return scheduler.started; }
  bool isHalfFullBelow() const { return scheduler.isHalfFullBelow(); }
  bool isFullBelow() const { return fillsBelow; }
  TaskLength taskLength() const { return state.active->pace.length; }
  bool isMeasured() const { return state.active->pace.lanes; }
  bool isVectorised() const { return state.task->kernels[0].isVectorised(); }
  bool feedsVectors() const { return scheduler.feedsVectors(state); }
};

/// The most pre-sync lanes of one dispatch.
uint64_t Scheduler::lanesAtOnce(const TaskLevel &state) const {
  PolicyView view = {*this, state};
  return withPolicy(policyKind, [&](auto chosen) { return chosen.lanesAtOnce(view); });
}

Scheduler::Progress Scheduler::dispatchFresh(TaskLevel &state, uint64_t index) {
  Progress result = Progress::None;
  while (uint64_t available = state.pre.size()) {
    if (environment.device && lacksRoom(state, index)) {
      runElided(state, available < limits.block ? available : limits.block, /*isTrial=*/false);
      result = Progress::Dispatched;
      continue;
    }
    ActiveState &active = activate(state, index);
    bool isTrial = false;
    countVisit(active, available);
    if (uint64_t elided = lanesOfChain(state, available)) {
      runElided(state, elided, isTrial);
      result = Progress::Dispatched;
      share();
      continue;
    }
    if (active.unasked) {
      --active.unasked;
    } else if (uint64_t elided = lanesToElide(state, lanesOf(active, available), isTrial)) {
      // The first ones of a trial find their code and their data out of the caches; what the others took counts.
      uint64_t first = isTrial && !active.elision->isLeaf ? elided / 2 : 0;
      if (first)
        runElided(state, first, isTrial);
      runElided(state, elided - first, isTrial);
      result = Progress::Dispatched;
      share();
      continue;
    }
    if (isTrial && levelAwaits())
      return Progress::Deeper; // the trial is about these lanes alone
    uint64_t lanes = lanesOf(active, available), most = roomBelow(state);
    bool fillsBelow = lanes > most;
    if (fillsBelow)
      lanes = most;
    if (uint64_t atOnce = lanesAtOnce(state); lanes > atOnce)
      lanes = atOnce;
    // Vectors have the lanes that they would have without the trial: those of others may differ more from one another.
    if (isTrial && active.elision->isLeaf && lanes > active.elision->lanes)
      lanes -= active.elision->lanes;
    if (lanes < available)
      countWide();
    if (state.task->frame && framesMissing(state, active, lanes))
      return result;
    if (limits.order != TaskOrder::Given)
      lanes = rearrange(state, lanes);
    count(active.counters[0].lanes, lanes);
    count(active.counters[0].wavefronts, wavefronts(lanes));
    triesGraph = isTrial;
    bool yielded = runWave(state, state.task->kernels[0].entryFor(lanes), state.pre, lanes, 0);
    result = Progress::Dispatched;
    share();
    if (yielded)
      return Progress::Yielded;
    started += lanes;
    active.pace.isLeaf = !awaits(state);
    if (!active.elision && isLongLeaf(state))
      active.unasked = 0;
    if (active.pace.isLeaf)
      endPace(active);
    else if (goesDeeper(state, fillsBelow))
      return Progress::Deeper;
  }
  return result;
}

/// Two waiting elements change places; counted from the first one.
void Scheduler::swap(TaskLevel &state, uint64_t a, uint64_t b) {
  OwnedChannel &channel = state.pre;
  for (uint32_t f = 0; f < state.task->element.numFields; ++f) {
    uint64_t size = state.task->element.fields[f].size;
    char *column = static_cast<char *>(channel.cursor.columns[f]) + channel.head * size;
    char *x = column + a * size, *y = column + b * size;
    for (uint64_t i = 0; i < size; ++i) {
      char kept = x[i];
      x[i] = y[i];
      y[i] = kept;
    }
  }
}

/// Puts `lanes` of the first `among` lanes in front, picked at random.
void Scheduler::pick(TaskLevel &state, uint64_t lanes, uint64_t among) {
  for (uint64_t i = 0; i < lanes; ++i)
    swap(state, i, i + random.below(among - i));
}

/// Puts `lanes` of the first `among` lanes in front that are next to one another, from a place picked at random: what
/// they touch is often as near.
void Scheduler::pickNeighbours(TaskLevel &state, uint64_t lanes, uint64_t among) {
  uint64_t start = random.below(among - lanes + 1);
  for (uint64_t i = 0; start && i < lanes; ++i)
    swap(state, i, start + i);
}

/// Puts those elements first that Limits::order wants to run now. Returns how many of them run.
uint64_t Scheduler::rearrange(TaskLevel &state, uint64_t lanes) {
  if (environment.device)
    return lanes;
  uint64_t size = state.pre.size();
  if (limits.order == TaskOrder::Reversed) {
    // Turned round once: nothing is spawned here before all of them are done.
    for (uint64_t i = 0; state.turned != size && i < size / 2; ++i)
      swap(state, i, size - 1 - i);
    state.turned = uint32_t(size - 1);
    return 1;
  }
  lanes = 1 + random.below(lanes);
  pick(state, lanes, size);
  return lanes;
}

/// Whether the children of the lanes that ran run before more of this level starts.
bool Scheduler::goesDeeper(const TaskLevel &state, bool fillsBelow) {
  if (limits.order == TaskOrder::Given || environment.device)
    return withPolicy(policyKind, [&](auto chosen) { return chosen.descends(PolicyView{*this, state, fillsBelow}); });
  return limits.order == TaskOrder::Reversed || random.below(2);
}

bool Scheduler::hasSpawned(const TaskLevel &state) const {
  for (uint32_t t = 0; t < state.task->numTargets; ++t)
    if (reinterpret_cast<const TaskLevel &>(*state.active->spawns[t]).pre.size())
      return true;
  return false;
}

/// Lanes ran that are looked at: what they took themselves may be enough to know. Those of a vector take little memory
/// with them, and more of them fill the vectors below.
void Scheduler::startPace(ActiveState &active, bool inVectors, uint64_t lanes, uint64_t start) {
  bool looks = triesGraph;
  if (looks) {
    triesGraph = false;
    active.elision->watches = isTrying = true;
    active.elision->handedOver = read(totals.stolen_blocks);
  }
  bool isSlow = (environment.clock(environment.context) - start) / lanes > tunables::kSlowTask;
  Pace &pace = active.pace;
  pace.isKnown = isSlow || inVectors;
  bool isShort = inVectors || pace.length == TaskLength::Short;
  pace.length = isSlow ? TaskLength::Long : isShort ? TaskLength::Short : TaskLength::LongSubtree;
  pace.lanes = looks || !pace.isKnown ? uint32_t(lanes) : 0;
  pace.start = start;
}

/// Those lanes are done, with all that they spawned.
void Scheduler::endPace(ActiveState &active) {
  Pace &pace = active.pace;
  if (!pace.lanes)
    return;
  if (!pace.isKnown) {
    uint64_t took = environment.clock(environment.context) - pace.start;
    pace.length = took / pace.lanes > tunables::kSlowSubtree ? TaskLength::LongSubtree : TaskLength::Short;
  }
  if (Elision *elision = active.elision; elision && elision->watches) {
    elision->watches = isTrying = false;
    uint64_t took = elision->started ? environment.ownClock(environment.context) - elision->started
                                     : environment.clock(environment.context) - pace.start;
    // What others did in the meantime took them time.
    if (elision->handedOver == read(totals.stolen_blocks))
      elision->addGraph(took, pace.lanes);
  }
  pace.lanes = 0;
}

/// Whether lanes of the task wait for others, or at a sync for nothing. Called with nothing at deeper levels but what
/// this level has spawned.
bool Scheduler::awaits(const TaskLevel &state) const {
  for (uint32_t k = 1; k < state.task->numKernels; ++k)
    if (state.active->post(k).channel.size())
      return true;
  return hasSpawned(state);
}

/// How many of the available elements one dispatch takes: a wavefront, or a block of full-sized ones.
uint64_t Scheduler::lanesOf(const ActiveState &active, uint64_t available) {
  if (current > probed) {
    probed = current;
    if (probeUntil && hungry()) {
      if (environment.clock(environment.context) < probeUntil)
        return 1;
      probeUntil = 0;
    }
  }
  uint64_t most = environment.device ? limits.block : limits.wave < abi::kMaxWave ? limits.wave : active.block;
  return available < most ? available : most;
}

uint64_t Scheduler::restartedLanes(uint64_t available) const {
  uint64_t most = environment.device ? limits.block : limits.wave;
  return available < most ? available : most;
}

/// How many lanes may spawn before a channel below is full, if each spawns two elements; at least a wavefront. A larger
/// block would be refused space in the middle, and what is left of it would have to be saved.
uint64_t Scheduler::roomBelow(const TaskLevel &state) const {
  uint64_t least = ~uint64_t(0);
  for (uint32_t t = 0; t < state.task->numTargets; ++t) {
    const auto &target = reinterpret_cast<const TaskLevel &>(*state.active->spawns[t]);
    uint64_t held = target.pre.size(), room = held < target.width ? (target.width - held) / 2 : 0;
    least = room < least ? room : least;
  }
  return least < limits.wave ? limits.wave : least;
}

/// Blocks grow as long as they take little time: what runs cannot be shared.
void Scheduler::adaptBlock(ActiveState &active, uint64_t start) {
  uint64_t took = environment.clock(environment.context) - start;
  if (took < tunables::kShortBlock)
    active.block = active.block < abi::kMaxLanes ? active.block * 2 : active.block;
  else if (took > 4 * tunables::kShortBlock && active.block > limits.wave)
    active.block /= 2;
}

/// Makes sure of a frame for each lane. If frames are short because others hold them, waits for those rather than
/// dispatching ever smaller wavefronts; their holders are at this level and go on when everything deeper is done.
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

Scheduler::Progress Scheduler::dispatchReady(TaskLevel &state) {
  if (!state.active)
    return Progress::None;
  ActiveState &active = *state.active;
  Progress result = Progress::None;
  for (uint32_t k = 1; k < state.task->numKernels; ++k) {
    while (uint64_t available = active.post(k).ready) {
      uint64_t lanes = lanesOf(active, available);
      count(active.counters[k].lanes, lanes);
      count(active.counters[k].wavefronts, wavefronts(lanes));
      active.post(k).ready -= lanes;
      bool yielded = runWave(state, state.task->kernels[k].entryFor(lanes), active.post(k).channel, lanes, k);
      result = Progress::Dispatched;
      share();
      if (yielded)
        return Progress::Yielded;
      // As few go on at a time as started.
      if (active.pace.length != TaskLength::Short && awaits(state))
        return Progress::Deeper;
    }
  }
  if (active.pace.lanes && !active.yielded && !awaits(state))
    endPace(active);
  return result;
}

/// Runs one wavefront, or block of them, over the first elements of `source` and consumes those; returns whether a lane
/// yielded. Room for every lane to reach any sync is made first: afterwards nothing at this level moves while the
/// kernel runs.
bool Scheduler::runWave(TaskLevel &state, abi::KernelFn entry, OwnedChannel &source, uint64_t lanes, uint32_t kernel) {
  ActiveState &active = *state.active;
  const KernelInfo &info = state.task->kernels[kernel];
  bool restarts = entry == info.resume;
  arena.subject = data.subject = state.task->name;
  for (uint32_t k = 1; k < state.task->numKernels; ++k)
    active.post(k).channel.makeRoom(data, kPostLayout, lanes, kUnbounded, tunables::kFirstElements);
  raise(totals.levels, current + 1);
  uint64_t freeBefore = active.frames.store.count, yieldsBefore = read(totals.yields);
  if (!restarts)
    count(dispatchedLanes, lanes);
  __atomic_store_n(&kernelName, info.name ? info.name : state.task->name, __ATOMIC_RELAXED); // for reports only
  abi::Wave &wave = dispatched.wave;
  wave.lanes = uint32_t(lanes);
  wave.kernel = kernel;
  wave.spawns = active.spawns;
  wave.syncs = active.syncs;
  wave.frames = state.task->frame ? &active.frames.store : nullptr;
  if (environment.device) {
    runOnDevice(state, restarts, source, lanes);
    source.consume(lanes);
  } else {
    wave.columns = source.cursor.columns;
    wave.first = source.head;
    runOnHost(active, info, entry, lanes, source.size());
    source.consume(lanes);
    if (yields.next)
      restartChannel(state, kernel, yields.next).append(kRestartLayout, yieldColumns, 0, yields.next);
    countYields(active, yields.next);
  }
  __atomic_store_n(&kernelName, nullptr, __ATOMIC_RELAXED);
  countFrames(active, freeBefore);
  return read(totals.yields) != yieldsBefore;
}

void Scheduler::runOnHost(ActiveState &active, const KernelInfo &info, abi::KernelFn entry, uint64_t lanes,
                          uint64_t available) {
  abi::Wave &wave = dispatched.wave;
  yields.next = 0;
  // Where one lane is all there is, there is nothing to choose, and the clock takes as long as a small task.
  bool starts = wave.kernel == 0 && entry != info.resume;
  bool looks = triesGraph || (available > 1 ? active.starts < 4 || active.starts % 16 == 0 : active.starts % 16 == 4);
  bool paced = policy.measures && starts && looks && !active.pace.lanes;
  active.starts += starts;
  bool timed = environment.hungry && lanes >= active.block;
  uint64_t start = timed || paced ? environment.clock(environment.context) : 0;
  if (triesGraph && paced)
    active.elision->started = startOfTrial(*active.elision, lanes);
  entry(&wave);
  if (timed)
    adaptBlock(active, start);
  if (paced)
    startPace(active, info.isVectorised(), lanes, start);
}

void Scheduler::countFrames(ActiveState &active, uint64_t freeBefore) {
  if (active.frames.store.count > active.frames.total)
    internalError("a kernel gave back more frames than there are", current);
  framesInUse += freeBefore - active.frames.store.count;
  raise(totals.frames_high_water, framesInUse);
}

/// The channel of a kernel's lanes that yielded, with room for some more.
OwnedChannel &Scheduler::restartChannel(TaskLevel &state, uint32_t kernel, uint64_t lanes) {
  ActiveState &active = *state.active;
  if (!active.restarts)
    active.restarts = arena.allocateArray<FrameChannel *>(state.task->numKernels);
  FrameChannel *&restarts = active.restarts[kernel];
  if (!restarts) {
    restarts = static_cast<FrameChannel *>(arena.allocate(sizeof(FrameChannel), alignof(FrameChannel)));
    restarts->channel.initialise(restarts->columns);
    restarts->ready = 0;
  }
  restarts->channel.makeRoom(data, kRestartLayout, lanes, kUnbounded, tunables::kFirstElements);
  return restarts->channel;
}

void Scheduler::countYields(ActiveState &active, uint64_t lanes) {
  active.yielded += uint32_t(lanes);
  count(totals.yields, lanes);
}

/// As many as make enough tasks together with what there is to do beside: loops in loops would else be cut into tasks
/// of a few iterations each. What waits at shallower levels is work for other workers; an element there stands for
/// twice as much as one a level deeper.
uint64_t Scheduler::loopTasks() const {
  uint64_t beside = dispatched.wave.lanes;
  for (uint64_t index = current, weight = 1; beside < tunables::kLoopTasks; --index, weight *= 2) {
    uint64_t waiting = 0;
    for (const TaskLevel *state = levels[index].tasks; state; state = state->next)
      waiting += state->pre.size();
    if (index != current)
      beside += waiting * weight;
    else if (waiting > beside) // those that run are still among them, if they are pre-sync lanes
      beside = waiting;
    if (index == lowest || weight >= tunables::kLoopTasks)
      break;
  }
  return beside < tunables::kLoopTasks ? tunables::kLoopTasks / (beside ? beside : 1) : 1;
}

uint64_t Scheduler::progress() const { return read(totals.spawned) + read(dispatchedLanes); }

bool Scheduler::hungry() const {
  // Relaxed: a stale value only makes sharing a little later.
  return environment.hungry && __atomic_load_n(environment.hungry, __ATOMIC_RELAXED);
}

void Scheduler::share() {
  if (hungry())
    environment.share(environment.context, *this);
}

/// Whether the wavefronts of the level above have left elements at level `index`, which they found empty.
bool Scheduler::spawnedInto(uint64_t index) {
  if (index >= numLevels)
    return false;
  uint64_t elements = 0;
  for (TaskLevel *state = levels[index].tasks; state; state = state->next)
    elements += state->pre.size();
  count(totals.spawned, elements);
  return elements != 0;
}

/// Before going deeper, finds post-sync elements whose dependencies are drained although other work is left deeper, and
/// makes their level the current one. Looks at the deepest levels only, so that the search takes constant time.
bool Scheduler::riseToReady() {
  for (uint64_t index = current, looks = 0; looks < tunables::kEdgeLevels; ++looks, --index) {
    if (!holdsBelow(index) && makeReady(index, /*isDrained=*/false)) {
      enter(index);
      if (shallowest > index)
        shallowest = index;
      return true;
    }
    if (index == lowest)
      break;
  }
  return false;
}

/// Whether elements stand in the way of elements that level `index` spawns: fresh ones one level deeper, or a queue's at
/// any deeper level.
bool Scheduler::holdsBelow(uint64_t index) const {
  for (uint64_t at = index + 1; at <= bottom && at < numLevels; ++at) {
    for (const TaskLevel *state = levels[at].tasks; state; state = state->next)
      if (state->pre.size() && (state->task->isQueue() || at == index + 1))
        return true;
    if (!hasQueues)
      break;
  }
  return false;
}

/// Whether levels deeper than `index` hold nothing of the tasks that are awaited. Blocks that others run may hold
/// anything.
bool Scheduler::isDrainedBelow(uint64_t index, const Closure &awaited) const {
  for (uint64_t at = index + 1; at <= bottom && at < numLevels; ++at) {
    if (stolen(at))
      return false;
    for (const TaskLevel *state = levels[at].tasks; state; state = state->next) {
      bool holds = state->pre.size() || (state->active && state->active->yielded);
      for (uint32_t k = 1; state->active && k < state->task->numKernels; ++k)
        holds |= state->active->post(k).channel.size() != 0;
      if (holds && awaited.contains(*state->task))
        return false;
    }
  }
  return true;
}

/// Post-sync elements at `index` are ready when nothing deeper is left of the tasks that their dependencies cover.
/// `isDrained`: nothing deeper is left at all.
bool Scheduler::makeReady(uint64_t index, bool isDrained) {
  bool any = false;
  for (TaskLevel *state = index < numLevels ? levels[index].tasks : nullptr; state; state = state->next)
    for (uint32_t k = 1; state->active && k < state->task->numKernels; ++k) {
      FrameChannel &post = state->active->post(k);
      if (!isDrained && (!post.channel.size() || !isDrainedBelow(index, state->task->awaited[k])))
        continue;
      post.ready = post.channel.size();
      any |= post.ready != 0;
    }
  return any;
}

bool Scheduler::holdsElements(uint64_t index) const {
  for (TaskLevel *state = index < numLevels ? levels[index].tasks : nullptr; state; state = state->next)
    if (state->pre.size() || (state->active && state->active->yielded))
      return true;
  return false;
}

} // namespace cilk2gpu::rt

extern "C" int32_t __cilk2gpu_talloc(cilk2gpu::abi::Wave *wave, uint32_t target) {
  // A wave is the first member of a RunningWave.
  return reinterpret_cast<cilk2gpu::rt::RunningWave *>(wave)->talloc(wave, target, 1) != 0;
}

extern "C" uint64_t __cilk2gpu_talloc_lanes(cilk2gpu::abi::Wave *wave, uint32_t target, uint64_t lanes) {
  uint64_t wanted = uint64_t(__builtin_popcountll(lanes));
  uint64_t granted = reinterpret_cast<cilk2gpu::rt::RunningWave *>(wave)->talloc(wave, target, wanted);
  for (; wanted > granted; --wanted)
    lanes &= ~(uint64_t(1) << (63 - __builtin_clzll(lanes))); // the last one
  return lanes;
}
