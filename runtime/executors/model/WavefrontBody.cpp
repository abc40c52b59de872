// See WavefrontBody.h.
#include "executors/model/WavefrontBody.h"

namespace cilk2gpu::rt {

WavefrontBody::WavefrontBody(ModelState &shared, ChildCounts &nodes)
    : shared(shared), nodes(nodes), laneMemory(shared.environment, tunables::kLaneCountBytes) {}

//===--------------------------------------------------------------------------------------------------------------===//
// Producing
//===--------------------------------------------------------------------------------------------------------------===//

/// Publishes the elements that the kernel has filled in since the last call.
void WavefrontBody::publish(Wavefront &wavefront, Producer &producer, LevelTask &target) {
  uint64_t count = producer.cursor.next - producer.start;
  if (!count)
    return;
  Reservation filled = {.segment = producer.granted.segment, .position = producer.granted.position, .count = count};
  if (wavefront.node) {
    auto *tags = static_cast<WaveNode **>(filled.segment->columns[target.task->element.numFields]);
    for (uint64_t i = 0; i < count; ++i)
      tags[producer.start + i] = wavefront.node;
    wavefront.node->children += count;
  }
  producer.start += count;
  producer.granted.position += count;
  producer.granted.count -= count;
  rt::count(shared.totals.spawned, count);
  shared.addLive(target.level, count);
  target.elements += count;
  shared.occupy(target, int64_t(count));
  uint64_t step = shared.settings.reservePerLane ? 1 : count;
  for (uint64_t done = 0; done < count; done += step)
    target.pre.publish({.segment = filled.segment, .position = filled.position + done, .count = step}, wavefront.cas);
  shared.candidates.insert(shared.arena, target.level);
  shared.isAwake = true;
}

/// Returns the number of elements to reserve: one for each lane, if there is plenty of room, because the number of
/// elements that lanes need is not known before they have run. With less room, a wavefront gets fewer elements at a
/// time. So no wavefront is refused elements that another wavefront holds and does not need.
uint64_t WavefrontBody::reservationSize(const Wavefront &wavefront, const LevelTask &target) {
  if (shared.settings.reservePerLane)
    return 1;
  uint64_t share = target.pre.room(shared.budget(), wavefront.wave.lanes) /
                   (2 * uint64_t(shared.level(wavefront.task->level).running));
  return share < 1 ? 1 : share < wavefront.wave.lanes ? share : wavefront.wave.lanes;
}

/// Reserves elements for a wavefront's lanes; none if the channel is full.
Reservation WavefrontBody::reserve(Wavefront &wavefront, LevelTask &target) {
  uint64_t asked = reservationSize(wavefront, target);
  shared.arena.subject = target.task->name;
  if (shared.isHeldElsewhere(target))
    return {};
  ++target.reservers; // other wavefronts get turns during the reservation
  Reservation granted = target.pre.reserve(shared.budget(), asked, wavefront.wave.lanes, wavefront.cas);
  --target.reservers;
  return granted;
}

bool WavefrontBody::talloc(Wavefront &wavefront, uint32_t index) {
  Producer &producer = wavefront.arrays.producers[index];
  if (producer.cursor.next < producer.cursor.limit)
    return true;
  LevelTask &target = *wavefront.task->active->targets[index];
  wavefront.producesInto = &target;
  publish(wavefront, producer, target);
  ++shared.modelTotals.tallocs;
  Reservation granted = reserve(wavefront, target);
  if (!granted.count) {
    ++shared.modelTotals.tallocs_refused;
    shared.modelTotals.done_count_stalls += target.pre.holdsDone();
    wavefront.blockedOn = &target;
    return false;
  }
  uint64_t slot = granted.segment->channel.slotOf(granted.position);
  producer.granted = granted;
  producer.start = slot;
  producer.cursor = {.columns = granted.segment->columns, .next = slot, .limit = slot + granted.count};
  return true;
}

/// Serves a talloc. Kernels on this machine run lanes one after the other, so at most one element is wanted at a time.
uint64_t WavefrontBody::tallocInWave(abi::Wave *wave, uint32_t target, uint64_t) {
  Wavefront &wavefront = static_cast<Wavefront &>(*reinterpret_cast<RunningWave *>(wave));
  wavefront.body->leaveKernel();
  CountingState counting = countingState(); // other wavefronts count while this one waits for its turn
  uint64_t granted = wavefront.body->talloc(wavefront, target);
  setCountingState(counting);
  wavefront.body->enterKernel();
  return granted;
}

uint64_t WavefrontBody::pressure(const Wavefront &wavefront) {
  const LevelTask *into = wavefront.producesInto;
  // In thousandths of the width, so that a full narrow channel counts as much as a full wide channel.
  return into ? into->pre.outstanding() * 1000 / into->width + 1 : 0;
}

//===--------------------------------------------------------------------------------------------------------------===//
// A wavefront's life
//===--------------------------------------------------------------------------------------------------------------===//

void WavefrontBody::main(void *argument) {
  Wavefront &wavefront = *static_cast<Wavefront *>(argument);
  WavefrontBody &body = *wavefront.body;
  wavefront.talloc = tallocInWave;
  if (wavefront.kind == WaveKind::Fresh)
    body.loadElements(wavefront);
  body.shared.machine.point({.issue = tunables::kModelIssue, .latency = tunables::kModelLoadLatency});
  body.runKernel(wavefront);
  body.finish(wavefront);
}

bool WavefrontBody::hold() {
  __atomic_store_n(&isHeld, true, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&isInKernel, __ATOMIC_SEQ_CST))
    return true;
  letGo();
  return false;
}

void WavefrontBody::leaveKernel() {
  __atomic_store_n(&isInKernel, false, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&isHeld, __ATOMIC_SEQ_CST)) // for as long as some lines are written
    ;
}

/// Runs the kernel. The time of its instructions passes at its end, all at once. If the kernel does not count
/// instructions, their time is a guess.
void WavefrontBody::runKernel(Wavefront &wavefront) {
  wavefront.executed.begin(laneMemory, shared.settings.limits.wave);
  enterKernel();
  wavefront.entry(&wavefront.wave);
  leaveKernel();
  IssueCounts executed = wavefront.executed.finish();
  issues.add(executed);
  uint64_t instructions = executed.all();
  shared.machine.point(
      {.issue = instructions ? instructions * tunables::kModelIssue : tunables::kModelKernelCycles, .latency = 0});
}

/// Executes deq: every lane takes its control entry and loads its element.
void WavefrontBody::loadElements(Wavefront &wavefront) {
  const ElementLayout &layout = wavefront.task->task->element;
  uint32_t lane = 0;
  for (uint32_t r = 0; r < wavefront.numRanges; ++r) {
    DispatchedRange &from = wavefront.ranges[r];
    for (uint64_t i = 0; i < from.range.count; ++i, ++lane) {
      uint64_t slot = from.segment->channel.deq(from.range.first + i);
      wavefront.slots[lane] = slot;
      for (uint32_t f = 0; f < layout.numFields; ++f)
        if (uint64_t size = layout.fields[f].size)
          __builtin_memcpy(static_cast<char *>(wavefront.arrays.columns[f]) + lane * size,
                           static_cast<char *>(from.segment->columns[f]) + slot * size, size);
      if (shared.countsChildren())
        wavefront.parents[lane] = static_cast<WaveNode **>(from.segment->columns[layout.numFields])[slot];
    }
  }
  if (shared.countsChildren())
    wavefront.node = nodes.create(wavefront);
}

/// Executes tfree, with one atomic operation for each done count.
void WavefrontBody::freeConsumed(Wavefront &wavefront) {
  uint32_t lane = 0;
  for (uint32_t r = 0; r < wavefront.numRanges; ++r) {
    DispatchedRange &from = wavefront.ranges[r];
    HostWave wave(unsigned(from.range.count));
    HostWave::PerLane<uint64_t> slots;
    for (uint64_t i = 0; i < from.range.count; ++i)
      slots[unsigned(i)] = wavefront.slots[lane++];
    ++from.segment->users;
    from.segment->channel.tfree(wave, slots);
    --from.segment->users;
    from.segment->outstanding -= from.range.count;
    wavefront.task->pre.mayReclaim = true;
  }
  shared.occupy(*wavefront.task, -int64_t(lane));
}

void WavefrontBody::countDivergence(Wavefront &wavefront, uint64_t continued) {
  uint64_t lanes = wavefront.wave.lanes;
  shared.modelTotals.lane_slots += shared.settings.limits.wave;
  shared.modelTotals.lanes_active += lanes;
  if (wavefront.kind != WaveKind::Fresh)
    return;
  if (continued && continued < lanes)
    ++shared.modelTotals.divergent_wavefronts;
  if (continued) {
    shared.modelTotals.spawn_slots += lanes;
    shared.modelTotals.spawn_lanes_active += continued;
  }
}

/// Takes over the lanes that reached a sync. Returns their number.
uint32_t WavefrontBody::handOverPosts(Wavefront &wavefront) {
  static const abi::FieldRecord frame = {.size = sizeof(void *), .align = alignof(void *)};
  LevelTask &task = *wavefront.task;
  uint64_t total = 0;
  for (uint32_t k = 1; k < task.task->numKernels; ++k) {
    const abi::Cursor &synced = wavefront.arrays.syncCursors[k];
    if (!synced.next)
      continue;
    total += synced.next;
    if (wavefront.node) {
      nodes.addPosts(wavefront, synced, k);
      continue;
    }
    OwnedChannel &queue = task.active->post(k).channel;
    queue.makeRoom(shared.arena, {&frame, 1}, synced.next, ~uint64_t(0), tunables::kFirstElements);
    queue.append({&frame, 1}, synced.columns, 0, synced.next);
  }
  shared.addLive(task.level, total);
  return uint32_t(total);
}

/// Saves the lanes that found no space, and sends the restart context to the aggregator.
void WavefrontBody::saveYielded(Wavefront &wavefront) {
  uint64_t lanes = wavefront.restarts.next;
  if (!wavefront.blockedOn)
    shared.internalError("a lane yielded that was not refused", wavefront.task->level);
  auto *saved = static_cast<SavedWave *>(shared.arena.allocate(SavedWave::bytes(lanes), alignof(SavedWave)));
  shared.savedWaves.add(SavedWave::bytes(lanes), alignof(SavedWave));
  *saved = {.next = nullptr,
            .task = wavefront.task,
            .blockedOn = wavefront.blockedOn,
            .node = wavefront.node,
            .kernel = wavefront.wave.kernel,
            .lanes = uint32_t(lanes),
            .cu = wavefront.cu};
  for (uint64_t i = 0; i < lanes; ++i) {
    saved->frames()[i] = wavefront.frames[i];
    saved->sites()[i] = wavefront.sites[i];
  }
  count(shared.totals.yields, lanes);
  ++shared.modelTotals.wavefront_yields;
  shared.modelTotals.yield_bytes += SavedWave::bytes(lanes);
  shared.modelTotals.yield_bytes_everything += tunables::kSavedContextBytes;
  shared.addLive(wavefront.task->level, lanes);
  if (shared.settings.traceEvents)
    shared.events.yielded(*shared.machine.running(), shared.machine.now(), *wavefront.blockedOn);
  shared.restarts.send(shared.arena, saved, wavefront.cas);
  shared.isAwake = true;
}

/// Gives back the frames that the kernel freed or did not take.
void WavefrontBody::returnFrames(Wavefront &wavefront) {
  framesInUse += wavefront.framesGranted - wavefront.store.count;
  raise(shared.totals.frames_high_water, framesInUse);
  FramePool &frames = wavefront.task->active->frames;
  if (frames.store.count > frames.total || wavefront.store.count > frames.total - frames.store.count)
    shared.internalError("a wavefront gave back more frames than there are", wavefront.task->level);
  for (uint64_t i = 0; i < wavefront.store.count; ++i)
    frames.store.free[frames.store.count++] = wavefront.freeFrames[i];
}

void WavefrontBody::finish(Wavefront &wavefront) {
  LevelTask &task = *wavefront.task;
  ActiveTask &active = *task.active;
  uint64_t consumed = wavefront.wave.lanes;
  for (uint32_t t = 0; t < task.task->numTargets; ++t) {
    Producer &producer = wavefront.arrays.producers[t];
    LevelTask &target = *active.targets[t];
    publish(wavefront, producer, target);
    target.pre.leave(shared.budget(), producer.granted);
  }
  uint32_t continued = handOverPosts(wavefront) + uint32_t(wavefront.restarts.next);
  countDivergence(wavefront, continued);
  if (wavefront.restarts.next)
    saveYielded(wavefront);
  else if (wavefront.node)
    nodes.end(wavefront.node);
  if (wavefront.kind == WaveKind::Fresh)
    freeConsumed(wavefront);
  returnFrames(wavefront);
  shared.removeLive(task.level, consumed);
  shared.modelTotals.cas_attempted += wavefront.cas.attempted;
  shared.modelTotals.cas_failed += wavefront.cas.failed;
}

} // namespace cilk2gpu::rt
