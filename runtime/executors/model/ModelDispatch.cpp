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
  FrameChannel &queue = task.active->post(kernel);
  Wavefront &wavefront = launches.prepare(task, WaveKind::PostSync, kernel, lanes, task.task->kernels[kernel].run);
  launches.placeFrames(wavefront);
  uint64_t head = queue.channel.head;
  __builtin_memcpy(wavefront.arrays.columns[0], static_cast<void **>(queue.columns[0]) + head, lanes * sizeof(void *));
  if (shared.countsChildren()) {
    __builtin_memcpy(wavefront.parents, static_cast<WaveNode **>(queue.columns[1]) + head, lanes * sizeof(void *));
    wavefront.node = nodes.create(wavefront);
  }
  queue.channel.consume(lanes);
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

bool ModelDispatch::dispatchQueue(LevelTask &queue, bool force) {
  return blocked.restart(queue) == Outcome::Dispatched || dispatchFresh(queue, force) == Outcome::Dispatched;
}

ModelDispatch::Outcome ModelDispatch::dispatchTasks(LevelTask *tasks, bool force) {
  return dispatchStages(
      tasks, Outcome::Dispatched, shared.policy().endsFirst,
      [&](LevelTask &task) { return dispatchPosts(task, force); },
      [&](LevelTask &task) { return blocked.restart(task); },
      [&](LevelTask &task) { return dispatchFresh(task, force); });
}

bool ModelDispatch::dispatchAt(uint64_t index, bool force) {
  bool ordersQueues = shared.hasQueues && shared.policy().levels == LevelOrder::OneAtATime;
  LevelTask *tasks = shared.tasksAt(index);
  if (LevelTask *queue = nextQueue(ordersQueues ? tasks : nullptr, [](const LevelTask &task) { return task.waits(); }))
    return dispatchQueue(*queue, force); // Nothing else of the level runs before its queues are drained.
  Outcome result = dispatchTasks(tasks, force);
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
  return shared.candidates.findDeepest([&](uint64_t at) { return dispatchAt(at, force); }) != LevelSet::kNone;
}

} // namespace cilk2gpu::rt
