// The aggregator: what the GPU's control processor does, one action at a time. In this order: enter restart contexts in
// the table of blocked wavefronts, free what is done, dispatch or restart, move on to another level.
//
// Freestanding: it is also compiled for a control processor (firmware/Firmware.cpp), over the same data.
#include "executors/model/Model.h"

namespace cilk2gpu::rt {

void Model::internalError(const char *what, uint64_t index) {
  const char *task = index < numLevels && levels[index].tasks ? levels[index].tasks->task->name : nullptr;
  environment.fail(environment.context, {FailureKind::InternalError, what, task, index});
  __builtin_unreachable();
}

/// Counts an action and lets its time pass for the aggregator.
void Model::spend(uint64_t &counter, uint32_t cycles) {
  ++counter;
  uint64_t start = freeAt > machine.now() ? freeAt : machine.now();
  freeAt = start + cycles;
  modelTotals.aggregator_cycles += cycles;
}

bool Model::aggregate() {
  wakeAt = Machine::kNever;
  if (takeBlocked())
    return true;
  // The adversary lets channels stay full as long as somebody else can act.
  bool delays = machine.schedule() == Schedule::Adversarial && machine.occupied();
  if (!delays && reclaimOne())
    return true;
  return dispatchSomething() || reclaimOne() || moveLevel();
}

//===--------------------------------------------------------------------------------------------------------------===//
// Blocked wavefronts and freed elements
//===--------------------------------------------------------------------------------------------------------------===//

bool Model::takeBlocked() {
  DispatchedRange range;
  if (!restartChannel.dispatch(1, &range, 1))
    return false;
  uint64_t slot = range.segment->channel.deq(range.range.first);
  SavedWave *saved = static_cast<SavedWave **>(range.segment->columns[0])[slot];
  HostWave one(1);
  HostWave::PerLane<uint64_t> slots;
  slots[0] = slot;
  range.segment->channel.tfree(one, slots);
  --range.segment->outstanding;
  restartChannel.reclaim(restartBudget());
  saved->next = nullptr;
  ActiveTask &active = *saved->task->active;
  (active.lastBlocked ? active.lastBlocked->next : active.firstBlocked) = saved;
  active.lastBlocked = saved;
  if (saved->task->level == current)
    goesDown = true;
  candidates.insert(arena, saved->task->level);
  raise(modelTotals.blocked_high_water, ++blocked);
  spend(modelTotals.aggregator_blocks, tunables::kAggregatorBlock);
  return true;
}

void Model::queueReclaim(LevelTask &task) {
  isAwake = true;
  if (task.awaitsReclaim)
    return;
  task.awaitsReclaim = true;
  task.nextReclaim = reclaims;
  reclaims = &task;
}

bool Model::reclaimOne() {
  LevelTask *task = reclaims;
  if (!task)
    return false;
  reclaims = task->nextReclaim;
  task->awaitsReclaim = false;
  modelTotals.elements_freed += task->pre.reclaim(budget());
  wakeProducers(*task);
  spend(modelTotals.aggregator_reclaims, tunables::kAggregatorReclaim);
  return true;
}

/// Whether another level has elements of a queue: all levels together hold no more of them than one level does.
bool Model::isHeldElsewhere(const LevelTask &task) {
  if (!task.task->isQueue())
    return false;
  for (const LevelTask *at = stateOf(*task.task).levels; at; at = at->otherLevel)
    if (at != &task && (at->reservers || at->pre.outstanding()))
      return true;
  return false;
}

/// Wavefronts may have been blocked on a channel that has room now.
void Model::wakeProducers(const LevelTask &task) {
  if (task.level)
    candidates.insert(arena, task.level - 1);
  for (const LevelTask *at = task.task->isQueue() ? stateOf(*task.task).levels : nullptr; at; at = at->otherLevel)
    if (at->level)
      candidates.insert(arena, at->level - 1);
}

/// What nobody needs of reservations one level deeper goes back: no wavefront runs at level `index`.
void Model::dropSpares(uint64_t index) {
  for (LevelTask *task = index + 1 < numLevels ? levels[index + 1].tasks : nullptr; task; task = task->next) {
    task->pre.dropSpares(budget());
    if (task->pre.mayReclaim)
      queueReclaim(*task);
  }
}

//===--------------------------------------------------------------------------------------------------------------===//
// Dispatching
//===--------------------------------------------------------------------------------------------------------------===//

Wavefront *Model::prepare(LevelTask &task, WaveKind kind, uint32_t kernel, uint64_t lanes, abi::KernelFn entry) {
  const TaskInfo &info = *task.task;
  Wavefront *wavefront = freeWavefronts;
  if (wavefront) {
    freeWavefronts = wavefront->nextFree;
  } else {
    wavefront = static_cast<Wavefront *>(arena.allocate(sizeof(Wavefront), alignof(Wavefront)));
    wavefront->block = nullptr;
    wavefront->blockBytes = 0;
  }
  uint64_t bytes = Wavefront::place(info, settings.limits.wave, nullptr, nullptr);
  if (bytes > wavefront->blockBytes) {
    raise(largestBlock, bytes);
    arena.release(wavefront->block, wavefront->blockBytes, Wavefront::kBlockAlign);
    wavefront->block = static_cast<char *>(arena.allocate(bytes, Wavefront::kBlockAlign));
    wavefront->blockBytes = bytes;
  }
  Wavefront &w = *wavefront;
  Wavefront::place(info, settings.limits.wave, w.block, &w.arrays);
  w.model = this;
  w.task = &task;
  w.entry = entry;
  w.kind = kind;
  w.node = nullptr;
  w.restartOf = w.blockedOn = w.producesInto = nullptr;
  w.cas = {};
  w.numRanges = 0;
  w.restartColumns[0] = w.frames;
  w.restartColumns[1] = w.sites;
  w.restarts = {w.restartColumns, 0, lanes};
  w.store = {w.freeFrames, 0, 0, nullptr, 0};
  w.framesGranted = 0;
  w.wave = {w.arrays.columns, 0,
            uint32_t(lanes),  kernel,
            w.arrays.spawns,  w.arrays.syncs,
            &w.restarts,      info.frame ? &w.store : nullptr};
  for (uint32_t t = 0; t < info.numTargets; ++t) {
    w.arrays.producers[t] = {};
    w.arrays.spawns[t] = &w.arrays.producers[t].cursor;
  }
  for (uint32_t k = 0; k < info.numKernels; ++k) {
    w.arrays.syncColumns[k] = w.arrays.syncFrames + uint64_t(k) * settings.limits.wave;
    w.arrays.syncCursors[k] = {&w.arrays.syncColumns[k], 0, lanes};
    w.arrays.syncs[k] = k ? &w.arrays.syncCursors[k] : nullptr;
  }
  return wavefront;
}

/// Columns of the copies of what a fresh wavefront consumes.
static void placeElements(Wavefront &wavefront, const ElementLayout &layout, uint32_t wave) {
  char *end = wavefront.arrays.staging;
  for (uint32_t f = 0; f < layout.numFields; ++f) {
    uint64_t align = layout.fields[f].align > kCacheLine ? layout.fields[f].align : kCacheLine;
    end = reinterpret_cast<char *>((reinterpret_cast<uintptr_t>(end) + align - 1) & ~(align - 1));
    wavefront.arrays.columns[f] = end;
    end += uint64_t(layout.fields[f].size) * wave;
  }
}

/// Columns of frames and sites.
static void placeFrames(Wavefront &wavefront, uint32_t wave) {
  wavefront.arrays.columns[0] = wavefront.arrays.staging;
  wavefront.arrays.columns[1] =
      wavefront.arrays.staging + (wave * sizeof(void *) + kCacheLine - 1) / kCacheLine * kCacheLine;
}

void Model::launch(Wavefront &wavefront, Context &context) {
  wavefront.cu = context.cu;
  LevelTask &task = *wavefront.task;
  ++level(task.level).running;
  raise(totals.levels, task.level + 1);
  bool isRestart = wavefront.kind == WaveKind::Restart;
  if (!isRestart)
    count(dispatchedLanes, wavefront.wave.lanes);
  spend(isRestart ? modelTotals.aggregator_restarts : modelTotals.aggregator_dispatches, tunables::kAggregatorDispatch);
  start(wavefront, context, freeAt + tunables::kModelDispatchLatency);
}

Model::Outcome Model::restartBlocked(LevelTask &task) {
  ActiveTask *active = task.active;
  SavedWave **link = active ? &active->firstBlocked : nullptr, *previous = nullptr;
  Outcome result = Outcome::Nothing;
  for (; link && *link; previous = *link, link = &previous->next) {
    SavedWave &saved = **link;
    // As many lanes as there is room for, but one wavefront at least.
    uint64_t room = saved.blockedOn->pre.room(budget(), saved.lanes), pledged = saved.blockedOn->pledged;
    if (!room || isHeldElsewhere(*saved.blockedOn) || (pledged && pledged + saved.lanes > room))
      continue;
    Context *context = machine.freeContext(saved.cu);
    if (!context) {
      result = Outcome::Waits;
      continue;
    }
    const KernelInfo &kernel = task.task->kernels[saved.kernel];
    if (!kernel.resume)
      internalError("a lane yielded in a kernel that cannot resume", task.level);
    Wavefront &wavefront = *prepare(task, WaveKind::Restart, saved.kernel, saved.lanes, kernel.resume);
    placeFrames(wavefront, settings.limits.wave);
    __builtin_memcpy(wavefront.arrays.columns[0], saved.frames(), saved.lanes * sizeof(void *));
    __builtin_memcpy(wavefront.arrays.columns[1], saved.sites(), saved.lanes * sizeof(uint32_t));
    wavefront.node = saved.node;
    wavefront.restartOf = saved.blockedOn;
    saved.blockedOn->pledged += saved.lanes;
    count(active->counters[saved.kernel].restartedLanes, saved.lanes);
    count(active->counters[saved.kernel].restartedWavefronts, 1);
    *link = saved.next;
    if (active->lastBlocked == &saved)
      active->lastBlocked = previous;
    --blocked;
    arena.release(&saved, SavedWave::bytes(saved.lanes), alignof(SavedWave));
    launch(wavefront, *context);
    return Outcome::Dispatched;
  }
  return result;
}

/// The predicate's answer for a channel with `available` elements.
bool Model::isEnough(const LevelTask &task, uint64_t available) {
  ChannelView channel = {available, settings.limits.wave, task.readySince - 1, machine.now()};
  if (settings.predicate.holds)
    return settings.predicate.holds(settings.predicate.context, channel);
  if (fillsWavefront(nullptr, channel))
    return true;
  uint64_t due = channel.oldest + settings.timeout;
  if (settings.timeout && due <= channel.now)
    return true;
  if (settings.timeout && due < wakeAt)
    wakeAt = due;
  return false;
}

/// Makes sure of a frame for each lane. If frames are short, the lanes wait for frames that others hold; they are not
/// dispatched in ever smaller wavefronts.
bool Model::framesMissing(LevelTask &task, uint64_t &lanes) {
  FramePool &frames = task.active->frames;
  const FrameShape &shape = task.task->frame;
  if (lanes > task.width)
    lanes = task.width;
  frameArena.subject = task.task->name;
  if (lanes > frames.total)
    lanes = frames.affordable(frameArena, lanes, shape);
  uint64_t provided = frames.provide(frameArena, lanes, task.width, shape);
  if (provided < lanes && frames.used())
    return true;
  lanes = provided;
  return false;
}

Model::Outcome Model::dispatchFresh(LevelTask &task, bool force) {
  uint64_t available = task.pre.ready();
  if (!available) {
    task.readySince = 0;
    return Outcome::Nothing;
  }
  if (!task.readySince)
    task.readySince = machine.now() + 1;
  uint64_t lanes = available < settings.limits.wave ? available : settings.limits.wave, most = lanesAtOnce(task);
  if (lanes > most)
    lanes = most;
  if (!force && !isEnough(task, available))
    return Outcome::Waits;
  Context *context = machine.freeContext();
  if (!context)
    return Outcome::Waits;
  ActiveTask &active = activate(task);
  const TaskInfo &info = *task.task;
  if (info.frame && framesMissing(task, lanes))
    return Outcome::Nothing;
  Wavefront &wavefront = *prepare(task, WaveKind::Fresh, 0, lanes, info.kernels[0].run);
  placeElements(wavefront, info.element, settings.limits.wave);
  wavefront.numRanges = task.pre.dispatch(lanes, wavefront.ranges, abi::kMaxWave);
  task.readySince = machine.now() + 1;
  if (info.frame) {
    wavefront.framesGranted = wavefront.store.count = lanes;
    active.frames.store.count -= lanes;
    __builtin_memcpy(wavefront.freeFrames, active.frames.store.free + active.frames.store.count,
                     lanes * sizeof(void *));
  }
  count(active.counters[0].lanes, lanes);
  count(active.counters[0].wavefronts, 1);
  started += lanes;
  launch(wavefront, *context);
  return Outcome::Dispatched;
}

Model::Outcome Model::dispatchPosts(LevelTask &task, bool force) {
  Outcome result = Outcome::Nothing;
  if (!task.active)
    return result;
  for (uint32_t k = 1; k < task.task->numKernels; ++k) {
    PostQueue &queue = task.active->post(k);
    uint64_t lanes = queue.ready < settings.limits.wave ? queue.ready : settings.limits.wave;
    if (!lanes)
      continue;
    Context *context = force || lanes == settings.limits.wave ? machine.freeContext() : nullptr;
    if (!context) {
      result = Outcome::Waits;
      continue;
    }
    Wavefront &wavefront = *prepare(task, WaveKind::PostSync, k, lanes, task.task->kernels[k].run);
    placeFrames(wavefront, settings.limits.wave);
    uint64_t head = queue.elements.head;
    __builtin_memcpy(wavefront.arrays.columns[0], static_cast<void **>(queue.columns[0]) + head,
                     lanes * sizeof(void *));
    if (countsChildren()) {
      __builtin_memcpy(wavefront.parents, static_cast<WaveNode **>(queue.columns[1]) + head, lanes * sizeof(void *));
      wavefront.node = createNode(wavefront);
    }
    queue.elements.consume(lanes);
    queue.ready -= lanes;
    count(task.active->counters[k].lanes, lanes);
    count(task.active->counters[k].wavefronts, 1);
    launch(wavefront, *context);
    return Outcome::Dispatched;
  }
  return result;
}

/// Restarts come first, then pre-sync elements, then post-sync elements, unless the policy has these first. A level
/// where nothing waits for a context or for more elements is no candidate until something happens there.
bool Model::dispatchAt(uint64_t index, bool force) {
  LevelTask *tasks = index < numLevels ? levels[index].tasks : nullptr;
  Outcome result = Outcome::Nothing;
  auto each = [&](auto &&dispatch) {
    for (LevelTask *task = tasks; task && result != Outcome::Dispatched; task = task->next) {
      Outcome outcome = dispatch(*task);
      result = outcome > result ? outcome : result;
    }
  };
  if (LevelTask *queue = hasQueues && policy().levels == LevelOrder::OneAtATime ? nextQueue(index) : nullptr) {
    // Nothing else of the level runs before its queues are drained.
    result = restartBlocked(*queue);
    return result == Outcome::Dispatched || dispatchFresh(*queue, force) == Outcome::Dispatched;
  }
  if (policy().endsFirst)
    each([&](LevelTask &task) { return dispatchPosts(task, force); });
  each([&](LevelTask &task) { return restartBlocked(task); });
  each([&](LevelTask &task) { return dispatchFresh(task, force); });
  each([&](LevelTask &task) { return dispatchPosts(task, force); });
  if (result == Outcome::Nothing)
    candidates.erase(index);
  return result == Outcome::Dispatched;
}

/// The queue of a level that is drained next: after the queues that its elements lead to. Null if all are drained.
LevelTask *Model::nextQueue(uint64_t index) const {
  LevelTask *next = nullptr;
  for (LevelTask *task = index < numLevels ? levels[index].tasks : nullptr; task; task = task->next) {
    bool holds = task->task->isQueue() && (task->pre.outstanding() || (task->active && task->active->firstBlocked));
    if (holds && (!next || task->task->rank < next->task->rank))
      next = task;
  }
  return next;
}

bool Model::dispatchSomething() {
  if (machine.occupied() == machine.shape().contexts())
    return false;
  if (policy().levels != LevelOrder::OneAtATime)
    return dispatchFreely();
  // After a yield nothing more is started here: the way to space is down.
  if (goesDown || !dispatchAt(current, true))
    return false;
  goesDown = descends(current);
  return true;
}

/// Whether a channel one level deeper is more than half full.
bool Model::isHalfFullBelow(uint64_t index) const {
  for (LevelTask *task = index + 1 < numLevels ? levels[index + 1].tasks : nullptr; task; task = task->next)
    if (task->pre.outstanding() * 2 > task->width)
      return true;
  return false;
}

/// What the policy sees of a level, and of a task there. Nothing is measured here, and nothing runs in vectors.
struct Model::PolicyView {
  const Model &model;
  uint64_t level;

  uint64_t started() const { return level == model.current ? model.started : 0; }
  bool isHalfFullBelow() const { return model.isHalfFullBelow(level); }
  bool isFullBelow() const { return false; }
  TaskLength taskLength() const { return TaskLength::Short; }
  bool isMeasured() const { return false; }
  bool isVectorised() const { return false; }
  bool feedsVectors() const { return false; }
};

uint64_t Model::lanesAtOnce(const LevelTask &task) const {
  PolicyView view = {*this, task.level};
  return withPolicy(settings.limits.policy, [&](auto chosen) { return chosen.lanesAtOnce(view); });
}

bool Model::descends(uint64_t index) const {
  PolicyView view = {*this, index};
  return withPolicy(settings.limits.policy, [&](auto chosen) { return chosen.descends(view); });
}

/// Full wavefronts of any level; when nothing runs, also others.
bool Model::dispatchFreely() {
  if (policy().levels == LevelOrder::Switching)
    for (uint64_t at = candidates.atOrBelow(0); at != LevelSet::kNone; at = candidates.atOrBelow(at + 1))
      if (!descends(at) && dispatchAt(at, false))
        return true;
  return dispatchDeepest(false) || (!machine.occupied() && dispatchDeepest(true));
}

bool Model::dispatchDeepest(bool force) {
  for (uint64_t at = candidates.deepest(); at != LevelSet::kNone;) {
    if (dispatchAt(at, force))
      return true;
    at = at ? candidates.atOrAbove(at - 1) : LevelSet::kNone;
  }
  return false;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Levels
//===--------------------------------------------------------------------------------------------------------------===//

/// Whether levels deeper than `index` hold nothing of the tasks that are awaited.
bool Model::isDrainedBelow(uint64_t index, const Closure &awaited) {
  for (uint64_t at = index + 1; at < numLevels && at <= alive.deepest(); ++at) {
    if (levels[at].running)
      return false;
    for (const LevelTask *task = levels[at].tasks; task; task = task->next) {
      bool holds = task->pre.outstanding() || (task->active && task->active->firstBlocked);
      for (uint32_t k = 1; task->active && k < task->task->numKernels; ++k)
        holds |= task->active->post(k).elements.size() != 0;
      if (holds && awaited.contains(*task->task))
        return false;
    }
  }
  return true;
}

/// Post-sync elements at `index` are ready when nothing deeper is left of the tasks that their dependencies cover.
/// `isDrained`: nothing deeper is left at all.
bool Model::makeReady(uint64_t index, bool isDrained) {
  bool any = false;
  for (LevelTask *task = index < numLevels ? levels[index].tasks : nullptr; task; task = task->next)
    for (uint32_t k = 1; task->active && k < task->task->numKernels; ++k) {
      PostQueue &queue = task->active->post(k);
      if (!isDrained && (!queue.elements.size() || !isDrainedBelow(index, task->task->awaited[k])))
        continue;
      any |= queue.ready != queue.elements.size();
      queue.ready = queue.elements.size();
    }
  if (any)
    candidates.insert(arena, index);
  return any;
}

/// Before going deeper, finds post-sync elements whose dependencies are drained although other work is left deeper, and
/// makes their level the current one. Looks at the deepest levels only, so that the search takes constant time.
bool Model::riseToReady() {
  for (uint64_t index = current, looks = 0; looks < tunables::kEdgeLevels; ++looks, --index) {
    if (makeReady(index, /*isDrained=*/false)) {
      current = index;
      return true;
    }
    if (!index)
      break;
  }
  return false;
}

bool Model::moveLevel() {
  uint64_t deepest = alive.deepest();
  if (policy().levels != LevelOrder::OneAtATime) {
    if (countsChildren() || deepest == LevelSet::kNone || !makeReady(deepest))
      return false;
    spend(modelTotals.aggregator_level_moves, tunables::kAggregatorMove);
    return true;
  }
  if (level(current).running || deepest == LevelSet::kNone)
    return false;
  if (deepest > current && policy().followsEdges && !goesDown && riseToReady()) {
    // These elements run before the level below does.
  } else if (deepest > current) {
    ++current;
  } else if (goesDown) {
    // Deeper levels are empty: lanes that yielded find room.
  } else if (makeReady(current)) {
  } else if (deepest < current) {
    current = deepest;
  } else {
    return false;
  }
  if (policy().endsFirst && deepest <= current)
    makeReady(current);
  goesDown = false;
  started = 0;
  spend(modelTotals.aggregator_level_moves, tunables::kAggregatorMove);
  return true;
}

/// A wavefront is over: its level may go on.
void Model::retire(Wavefront &wavefront) {
  LevelTask &task = *wavefront.task;
  if (wavefront.restartOf)
    wavefront.restartOf->pledged -= wavefront.wave.lanes;
  if (task.pre.mayReclaim)
    queueReclaim(task);
  if (--level(task.level).running == 0)
    dropSpares(task.level);
  candidates.insert(arena, task.level);
  wavefront.nextFree = freeWavefronts;
  freeWavefronts = &wavefront;
  isAwake = true;
}

} // namespace cilk2gpu::rt
