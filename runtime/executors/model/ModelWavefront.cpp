// What a wavefront does in its fiber: load its elements, run its kernel, which asks for channel space as it goes, and
// hand over what it leaves. It may lose its turn at every modelled point, which are the atomic operations and the
// stretches of work between them; what is done between two points is done at once for everybody else.
#include "executors/model/Model.h"

namespace cilk2gpu::rt {

/// Whose machine runs: one at a time, by one host thread.
static Machine *runningMachine = nullptr;

void modelledAtomic() {
  if (runningMachine && runningMachine->running())
    runningMachine->point({tunables::kModelIssue, tunables::kModelAtomicLatency});
}

//===--------------------------------------------------------------------------------------------------------------===//
// Producing
//===--------------------------------------------------------------------------------------------------------------===//

/// Publishes what the kernel has filled in since the last time.
void Model::publish(Wavefront &wavefront, Producer &producer, LevelTask &target) {
  uint64_t count = producer.cursor.next - producer.start;
  if (!count)
    return;
  Reservation filled = {producer.granted.segment, producer.granted.position, count};
  if (wavefront.node) {
    auto *tags = static_cast<WaveNode **>(filled.segment->columns[target.task->element.numFields]);
    for (uint64_t i = 0; i < count; ++i)
      tags[producer.start + i] = wavefront.node;
    wavefront.node->children += count;
  }
  producer.start += count;
  producer.granted.position += count;
  producer.granted.count -= count;
  rt::count(totals.spawned, count);
  addLive(target.level, count);
  target.elements += count;
  occupy(target, int64_t(count));
  uint64_t step = settings.reservePerLane ? 1 : count;
  for (uint64_t done = 0; done < count; done += step)
    target.pre.publish({filled.segment, filled.position + done, step}, wavefront.cas);
  candidates.insert(arena, target.level);
  isAwake = true;
}

/// One element for each lane, as long as there is plenty: how many the lanes will need is not known before they have
/// run. The less room there is, the less at a time, so that no wavefront is refused what another one has and does not
/// need.
uint64_t Model::reservationSize(const Wavefront &wavefront, const LevelTask &target) {
  if (settings.reservePerLane)
    return 1;
  uint64_t share =
      target.pre.room(budget(), wavefront.wave.lanes) / (2 * uint64_t(level(wavefront.task->level).running));
  return share < 1 ? 1 : share < wavefront.wave.lanes ? share : wavefront.wave.lanes;
}

bool Model::talloc(Wavefront &wavefront, uint32_t index) {
  Producer &producer = wavefront.arrays.producers[index];
  if (producer.cursor.next < producer.cursor.limit)
    return true;
  LevelTask &target = *wavefront.task->active->targets[index];
  wavefront.producesInto = &target;
  publish(wavefront, producer, target);
  ++modelTotals.tallocs;
  uint64_t asked = reservationSize(wavefront, target);
  arena.subject = target.task->name;
  Reservation granted;
  if (!isHeldElsewhere(target)) {
    ++target.reservers; // others take turns within the reservation
    granted = target.pre.reserve(budget(), asked, wavefront.wave.lanes, wavefront.cas);
    --target.reservers;
  }
  if (!granted.count) {
    ++modelTotals.tallocs_refused;
    modelTotals.done_count_stalls += target.pre.holdsDone();
    wavefront.blockedOn = &target;
    return false;
  }
  uint64_t slot = granted.segment->channel.slotOf(granted.position);
  producer.granted = granted;
  producer.start = slot;
  producer.cursor = {granted.segment->columns, slot, slot + granted.count};
  return true;
}

/// Kernels here take their lanes one after the other, so that at most one element is wanted at a time.
uint64_t Model::tallocInWave(abi::Wave *wave, uint32_t target, uint64_t) {
  Wavefront &wavefront = static_cast<Wavefront &>(*reinterpret_cast<RunningWave *>(wave));
  CountingState counting = countingState(); // others count while this one waits for its turn
  uint64_t granted = wavefront.model->talloc(wavefront, target);
  setCountingState(counting);
  wavefront.model->leaveToKernel();
  return granted;
}

uint64_t Model::pressure(const Wavefront &wavefront) {
  const LevelTask *into = wavefront.producesInto;
  // Per mille of the width, so that a full narrow channel counts as much as a full wide one.
  return into ? into->pre.outstanding() * 1000 / into->width + 1 : 0;
}

//===--------------------------------------------------------------------------------------------------------------===//
// A wavefront's life
//===--------------------------------------------------------------------------------------------------------------===//

void Model::wavefrontMain(void *argument) {
  Wavefront &wavefront = *static_cast<Wavefront *>(argument);
  Model &model = *wavefront.model;
  wavefront.talloc = tallocInWave;
  if (wavefront.kind == WaveKind::Fresh)
    model.loadElements(wavefront);
  model.machine.point({tunables::kModelIssue, tunables::kModelLoadLatency});
  model.runKernel(wavefront);
  model.finish(wavefront);
}

/// Its instructions take their time at its end, all at once; those of kernels that do not count them are guessed.
void Model::runKernel(Wavefront &wavefront) {
  wavefront.executed.begin(laneMemory, settings.limits.wave);
  leaveToKernel();
  wavefront.entry(&wavefront.wave);
  IssueCounts executed = wavefront.executed.finish();
  issues.add(executed);
  uint64_t instructions = executed.all();
  machine.point({instructions ? instructions * tunables::kModelIssue : tunables::kModelKernelCycles, 0});
}

/// deq: every lane takes its control entry and loads its element.
void Model::loadElements(Wavefront &wavefront) {
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
      if (countsChildren())
        wavefront.parents[lane] = static_cast<WaveNode **>(from.segment->columns[layout.numFields])[slot];
    }
  }
  if (countsChildren())
    wavefront.node = createNode(wavefront);
}

/// tfree: one atomic for each done count.
void Model::freeConsumed(Wavefront &wavefront) {
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
  occupy(*wavefront.task, -int64_t(lane));
}

void Model::countDivergence(Wavefront &wavefront, uint64_t continued) {
  uint64_t lanes = wavefront.wave.lanes;
  modelTotals.lane_slots += settings.limits.wave;
  modelTotals.lanes_active += lanes;
  if (wavefront.kind != WaveKind::Fresh)
    return;
  if (continued && continued < lanes)
    ++modelTotals.divergent_wavefronts;
  if (continued) {
    modelTotals.spawn_slots += lanes;
    modelTotals.spawn_lanes_active += continued;
  }
}

/// Takes over the lanes that reached a sync; returns how many.
uint32_t Model::handOverPosts(Wavefront &wavefront) {
  static const abi::FieldRecord frame = {sizeof(void *), alignof(void *)};
  LevelTask &task = *wavefront.task;
  uint64_t total = 0;
  for (uint32_t k = 1; k < task.task->numKernels; ++k) {
    const abi::Cursor &synced = wavefront.arrays.syncCursors[k];
    if (!synced.next)
      continue;
    total += synced.next;
    if (wavefront.node) {
      addPosts(wavefront, synced, k);
      continue;
    }
    OwnedChannel &queue = task.active->post(k).elements;
    queue.makeRoom(arena, {&frame, 1}, synced.next, ~uint64_t(0), tunables::kFirstElements);
    queue.append({&frame, 1}, synced.columns, 0, synced.next);
  }
  addLive(task.level, total);
  return uint32_t(total);
}

/// Saves the lanes that found no space and sends the restart context to the aggregator.
void Model::saveYielded(Wavefront &wavefront) {
  uint64_t lanes = wavefront.restarts.next;
  if (!wavefront.blockedOn)
    internalError("a lane yielded that was not refused", wavefront.task->level);
  auto *saved = static_cast<SavedWave *>(arena.allocate(SavedWave::bytes(lanes), alignof(SavedWave)));
  *saved = {nullptr,         wavefront.task, wavefront.blockedOn, wavefront.node, wavefront.wave.kernel,
            uint32_t(lanes), wavefront.cu};
  for (uint64_t i = 0; i < lanes; ++i) {
    saved->frames()[i] = wavefront.frames[i];
    saved->sites()[i] = wavefront.sites[i];
  }
  count(totals.yields, lanes);
  ++modelTotals.wavefront_yields;
  modelTotals.yield_bytes += SavedWave::bytes(lanes);
  modelTotals.yield_bytes_everything += tunables::kSavedContextBytes;
  addLive(wavefront.task->level, lanes);
  if (settings.traceEvents)
    events.yielded(*machine.running(), machine.now(), *wavefront.blockedOn);
  Reservation place;
  // The channel is as wide as there are contexts. The aggregator waits for nobody before it takes what is there, so it
  // is full only for a while (test/model/ChannelStack.pml, at any width).
  while (!(place = restartChannel.reserve(restartBudget(), 1, 1, wavefront.cas)).count)
    modelledAtomic();
  uint64_t slot = place.segment->channel.slotOf(place.position);
  static_cast<SavedWave **>(place.segment->columns[0])[slot] = saved;
  restartChannel.publish(place, wavefront.cas);
  isAwake = true;
}

void Model::finish(Wavefront &wavefront) {
  LevelTask &task = *wavefront.task;
  ActiveTask &active = *task.active;
  uint64_t consumed = wavefront.wave.lanes;
  for (uint32_t t = 0; t < task.task->numTargets; ++t) {
    Producer &producer = wavefront.arrays.producers[t];
    LevelTask &target = *active.targets[t];
    publish(wavefront, producer, target);
    target.pre.leave(budget(), producer.granted);
  }
  uint32_t continued = handOverPosts(wavefront) + uint32_t(wavefront.restarts.next);
  countDivergence(wavefront, continued);
  if (wavefront.restarts.next)
    saveYielded(wavefront);
  else if (wavefront.node)
    nodeOver(wavefront.node);
  if (wavefront.kind == WaveKind::Fresh)
    freeConsumed(wavefront);
  framesInUse += wavefront.framesGranted - wavefront.store.count;
  raise(totals.frames_high_water, framesInUse);
  for (uint64_t i = 0; i < wavefront.store.count; ++i)
    active.frames.store.free[active.frames.store.count++] = wavefront.freeFrames[i];
  removeLive(task.level, consumed);
  modelTotals.cas_attempted += wavefront.cas.attempted;
  modelTotals.cas_failed += wavefront.cas.failed;
}

Machine *enterMachine(Machine *machine) {
  Machine *outer = runningMachine;
  runningMachine = machine;
  return outer;
}

} // namespace cilk2gpu::rt
