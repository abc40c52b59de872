// See ModelDispatch.h.
#include "executors/model/ModelDispatch.h"

namespace cilk2gpu::rt {

//===--------------------------------------------------------------------------------------------------------------===//
// One task
//===--------------------------------------------------------------------------------------------------------------===//

/// Returns the predicate's answer for a channel with `available` elements.
bool ModelDispatch::isEnough(const LevelTask &task, uint64_t available) {
  const ModelSettings &settings = shared.settings;
  ChannelView channel = {
      .ready = available, .wave = settings.limits.wave, .oldest = task.readySince - 1, .now = shared.machine.now()};
  if (settings.predicate.holds)
    return settings.predicate.holds(settings.predicate.context, channel);
  if (fillsWavefront(nullptr, channel))
    return true;
  uint64_t due = channel.oldest + settings.timeout;
  if (settings.timeout && due <= channel.now)
    return true;
  if (settings.timeout && due < shared.wakeAt)
    shared.wakeAt = due;
  return false;
}

/// Makes sure of a frame for each lane. If frames are short, the lanes wait for frames that others hold; they are not
/// dispatched in ever smaller wavefronts.
bool ModelDispatch::framesMissing(LevelTask &task, uint64_t &lanes) {
  FramePool &frames = task.active->frames;
  const FrameShape &shape = task.task->frame;
  if (lanes > task.width)
    lanes = task.width;
  shared.frameArena.subject = task.task->name;
  if (lanes > frames.total)
    lanes = frames.affordable(shared.frameArena, lanes, shape);
  uint64_t provided = frames.provide(shared.frameArena, lanes, task.width, shape);
  if (provided < lanes && frames.used())
    return true;
  lanes = provided;
  return false;
}

void ModelDispatch::launchFresh(LevelTask &task, uint64_t lanes, Context &context) {
  ActiveTask &active = *task.active;
  const TaskInfo &info = *task.task;
  Wavefront &wavefront = launches.prepare(task, WaveKind::Fresh, 0, lanes, info.kernels[0].run);
  launches.placeElements(wavefront);
  wavefront.numRanges = task.pre.dispatch(lanes, wavefront.ranges, abi::kMaxWave);
  task.readySince = shared.machine.now() + 1;
  if (info.frame) {
    wavefront.framesGranted = wavefront.store.count = lanes;
    active.frames.store.count -= lanes;
    __builtin_memcpy(wavefront.freeFrames, active.frames.store.free + active.frames.store.count,
                     lanes * sizeof(void *));
  }
  count(active.counters[0].lanes, lanes);
  count(active.counters[0].wavefronts, 1);
  moves.startedLanes(lanes);
  launches.launch(wavefront, context);
}

ModelDispatch::Outcome ModelDispatch::dispatchFresh(LevelTask &task, bool force) {
  uint64_t available = task.pre.ready();
  if (!available) {
    task.readySince = 0;
    return Outcome::Nothing;
  }
  if (!task.readySince)
    task.readySince = shared.machine.now() + 1;
  uint64_t wave = shared.settings.limits.wave, most = moves.lanesAtOnce(task);
  uint64_t lanes = available < wave ? available : wave;
  if (lanes > most)
    lanes = most;
  if (!force && !isEnough(task, available))
    return Outcome::Waits;
  Context *context = shared.machine.freeContext();
  if (!context)
    return Outcome::Waits;
  shared.activate(task);
  if (task.task->frame && framesMissing(task, lanes))
    return Outcome::Nothing;
  launchFresh(task, lanes, *context);
  return Outcome::Dispatched;
}

void ModelDispatch::launchPosts(LevelTask &task, uint32_t kernel, uint64_t lanes, Context &context) {
  PostQueue &queue = task.active->post(kernel);
  Wavefront &wavefront = launches.prepare(task, WaveKind::PostSync, kernel, lanes, task.task->kernels[kernel].run);
  launches.placeFrames(wavefront);
  uint64_t head = queue.elements.head;
  __builtin_memcpy(wavefront.arrays.columns[0], static_cast<void **>(queue.columns[0]) + head, lanes * sizeof(void *));
  if (shared.countsChildren()) {
    __builtin_memcpy(wavefront.parents, static_cast<WaveNode **>(queue.columns[1]) + head, lanes * sizeof(void *));
    wavefront.node = nodes.create(wavefront);
  }
  queue.elements.consume(lanes);
  queue.ready -= lanes;
  KernelCounters &counters = task.active->counters[kernel];
  count(counters.lanes, lanes);
  count(counters.wavefronts, 1);
  launches.launch(wavefront, context);
}

ModelDispatch::Outcome ModelDispatch::dispatchPosts(LevelTask &task, bool force) {
  Outcome result = Outcome::Nothing;
  uint64_t wave = shared.settings.limits.wave;
  for (uint32_t k = 1; task.active && k < task.task->numKernels; ++k) {
    uint64_t ready = task.active->post(k).ready, lanes = ready < wave ? ready : wave;
    if (!lanes)
      continue;
    Context *context = force || lanes == wave ? shared.machine.freeContext() : nullptr;
    if (context) {
      launchPosts(task, k, lanes, *context);
      return Outcome::Dispatched;
    }
    result = Outcome::Waits;
  }
  return result;
}

//===--------------------------------------------------------------------------------------------------------------===//
// One level
//===--------------------------------------------------------------------------------------------------------------===//

/// Returns the queue of a level that is drained next: after the queues that its elements lead to. Null if all are
/// drained.
LevelTask *ModelDispatch::nextQueue(uint64_t index) const {
  LevelTask *next = nullptr;
  for (LevelTask *task = shared.tasksAt(index); task; task = task->next) {
    bool holds = task->task->isQueue() && (task->pre.outstanding() || (task->active && task->active->firstBlocked));
    if (holds && (!next || task->task->rank < next->task->rank))
      next = task;
  }
  return next;
}

bool ModelDispatch::dispatchQueue(LevelTask &queue, bool force) {
  return blocked.restart(queue) == Outcome::Dispatched || dispatchFresh(queue, force) == Outcome::Dispatched;
}

ModelDispatch::Outcome ModelDispatch::dispatchTasks(LevelTask *tasks, bool force) {
  Outcome result = Outcome::Nothing;
  auto each = [&](auto &&dispatch) {
    for (LevelTask *task = tasks; task && result != Outcome::Dispatched; task = task->next) {
      Outcome outcome = dispatch(*task);
      result = outcome > result ? outcome : result;
    }
  };
  if (shared.policy().endsFirst)
    each([&](LevelTask &task) { return dispatchPosts(task, force); });
  each([&](LevelTask &task) { return blocked.restart(task); });
  each([&](LevelTask &task) { return dispatchFresh(task, force); });
  each([&](LevelTask &task) { return dispatchPosts(task, force); });
  return result;
}

bool ModelDispatch::dispatchAt(uint64_t index, bool force) {
  bool ordersQueues = shared.hasQueues && shared.policy().levels == LevelOrder::OneAtATime;
  if (LevelTask *queue = ordersQueues ? nextQueue(index) : nullptr)
    return dispatchQueue(*queue, force); // Nothing else of the level runs before its queues are drained.
  Outcome result = dispatchTasks(shared.tasksAt(index), force);
  if (result == Outcome::Nothing)
    shared.candidates.erase(index); // until something happens there
  return result == Outcome::Dispatched;
}

//===--------------------------------------------------------------------------------------------------------------===//
// All levels
//===--------------------------------------------------------------------------------------------------------------===//

bool ModelDispatch::one() {
  if (shared.machine.occupied() == shared.machine.shape().contexts())
    return false;
  if (shared.policy().levels != LevelOrder::OneAtATime)
    return dispatchFreely();
  // After a yield nothing more is started here: the way to space is down.
  if (moves.isGoingDown() || !dispatchAt(moves.current(), true))
    return false;
  moves.askPolicy();
  return true;
}

/// Dispatches full wavefronts of any level; when nothing runs, also others.
bool ModelDispatch::dispatchFreely() {
  const LevelSet &levels = shared.candidates;
  if (shared.policy().levels == LevelOrder::Switching)
    for (uint64_t at = levels.atOrBelow(0); at != LevelSet::kNone; at = levels.atOrBelow(at + 1))
      if (!moves.descends(at) && dispatchAt(at, false))
        return true;
  return dispatchDeepest(false) || (!shared.machine.occupied() && dispatchDeepest(true));
}

bool ModelDispatch::dispatchDeepest(bool force) {
  for (uint64_t at = shared.candidates.deepest(); at != LevelSet::kNone;) {
    if (dispatchAt(at, force))
      return true;
    at = at ? shared.candidates.atOrAbove(at - 1) : LevelSet::kNone;
  }
  return false;
}

} // namespace cilk2gpu::rt
