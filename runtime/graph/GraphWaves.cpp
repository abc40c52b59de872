// See GraphWaves.h.
#include "graph/GraphWaves.h"
#include "process/Message.h"

namespace cilk2gpu::rt {

GraphWaves::GraphWaves(GraphShared &shared, GraphChannels &channels)
    : shared(shared), channels(channels), laneMemory(shared.environment, tunables::kLaneCountBytes) {
  hostWave.owner = this;
}

uint64_t GraphWaves::pressure(const Wavefront &opaque) {
  const GraphWave &wave = reinterpret_cast<const GraphWave &>(opaque);
  const GraphGrant *grant = wave.grants;
  return grant ? grant->channel->channel.outstanding() * 1000 / grant->channel->node->width() + 1 : 0;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Kernels' calls
//===--------------------------------------------------------------------------------------------------------------===//

/// Returns the calling wavefront; null for the host.
GraphWave *GraphWaves::current() const {
  Context *context = shared.machine.running();
  return context ? reinterpret_cast<GraphWave *>(context->wavefront) : nullptr;
}

uint64_t GraphWaves::currentLevel() const {
  GraphWave *wave = current();
  return wave ? wave->from->level + 1 : 0;
}

uint32_t GraphWaves::lane(int id, int offset) const {
  const GraphWave *wave = current();
  if (!wave)
    fatal("deq, tfree and levelOf are for kernels, but the host called one; call it in a kernel");
  int own = int(wave->first + wave->lane);
  if (id != wave->from->node->id || offset != own)
    fatal("a kernel consumes the element at offset %d of channel %d, but asked for offset %d of channel %d", own,
          wave->from->node->id, offset, id);
  return wave->lane;
}

/// Reserves elements for this lane and, if there is plenty of room, for the lanes after it.
bool GraphWaves::reserve(GraphWave &wave, GraphChannel &target, uint64_t count) {
  uint64_t lanes = wave.lanes > wave.lane ? wave.lanes - wave.lane : 1;
  uint64_t share = target.channel.room(channels.budget(*target.node), lanes) /
                   (2 * (uint64_t(shared.machine.occupied()) + 1)) / count;
  uint64_t asked = count * (share < 1 ? 1 : share < lanes ? share : lanes);
  // A channel without levels never runs empty, so several buffers would never be freed. It has a single buffer, as in
  // the paper. The channel of a level is filled and then drained.
  uint64_t first = target.node->isStack() ? 1 : target.node->width();
  Reservation got = target.channel.reserveRun(channels.budget(*target.node), asked, count, first, wave.cas);
  if (target.channel.mayReclaim)
    channels.queueReclaim(target);
  if (target.channel.hasMoreRoom) {
    target.channel.hasMoreRoom = false;
    channels.changed(target);
  }
  if (!got.count)
    return false;
  auto *grant = allocateZeroed<GraphGrant>(shared.arena, 1);
  *grant = {wave.grants, &target, got};
  wave.grants = grant;
  return true;
}

/// Gives back the unused rests of reservations while no wavefront runs. Returns whether there were any.
bool GraphWaves::freeSpares(GraphChannel &target) {
  bool any = target.channel.dropSpares(channels.budget(*target.node));
  shared.totals.elements_freed += target.channel.reclaim(channels.budget(*target.node));
  return any;
}

/// Takes elements out of the wavefront's latest reservation. Returns null, and leaves the rest to others, if there are
/// not enough.
void *GraphWaves::takeGranted(GraphWave &wave, GraphChannel &target, uint64_t count) {
  GraphGrant **link = &wave.grants;
  while (*link && (*link)->channel != &target)
    link = &(*link)->next;
  GraphGrant *grant = *link;
  if (!grant)
    return nullptr;
  if (grant->left.count < count) {
    *link = grant->next;
    leave(target, grant);
    return nullptr;
  }
  auto *allocation = allocateZeroed<GraphAllocation>(shared.arena, 1);
  *allocation = {wave.allocations, &target, {grant->left.segment, grant->left.position, count}, wave.lane, false};
  wave.allocations = allocation;
  grant->left.position += count;
  grant->left.count -= count;
  return target.channel.makeRun(allocation->elements);
}

void *GraphWaves::talloc(GraphNode &node, uint64_t level, uint64_t count) {
  if (!count || count > node.width())
    fatal("talloc of %llu elements in channel %d, which holds %llu; ask for 1 to as many as it holds",
          static_cast<unsigned long long>(count), node.id, static_cast<unsigned long long>(node.width()));
  GraphChannel &target = channels.at(node, level);
  if (current())
    shared.machine.beforeTalloc();
  for (;;) {
    GraphWave &wave = current() ? *current() : hostWave; // a lane that has waited may be in another wavefront
    if (void *elements = takeGranted(wave, target, count))
      return elements;
    uint64_t seen = target.changes; // read first: reserve() may lose its turn, and elements that are freed meanwhile
                                    // must count
    bool isGranted = reserve(wave, target, count);
    if (wave.hasPledge) {
      wave.hasPledge = false;
      target.pledged -= count;
      target.mayRestart = shared.isAwake = true;
    }
    if (isGranted)
      continue;
    // Wavefronts of an earlier run may have left reservations.
    if (&wave == &hostWave && freeSpares(target))
      continue;
    if (&wave == &hostWave)
      fatal("channel %d is full: it holds %llu elements; make it wider, or execute the graph first", node.id,
            static_cast<unsigned long long>(node.width()));
    block(wave, target, count, seen);
  }
}

void GraphWaves::enq(GraphNode &node, void *elements) {
  GraphWave &wave = current() ? *current() : hostWave;
  for (GraphAllocation *allocation = wave.allocations; allocation; allocation = allocation->next) {
    ChannelBuffer &segment = *allocation->elements.segment;
    uint64_t slot = segment.channel.slotOf(allocation->elements.position);
    if (allocation->channel->channel.elementOfRun(segment, slot) != elements)
      continue;
    if (allocation->channel->node != &node || allocation->isEnqueued)
      fatal("elements were talloc'ed in channel %d and enqueued %s; enqueue them once, where they were talloc'ed",
            allocation->channel->node->id, allocation->isEnqueued ? "twice" : "in another one");
    allocation->isEnqueued = true;
    if (&wave == &hostWave)
      publish(wave);
    return;
  }
  fatal("enq in channel %d of elements that this call of the kernel did not talloc; talloc them in the same call",
        node.id);
}

void *GraphWaves::deq(int id, int offset) {
  GraphWave &wave = *current();
  uint32_t at = lane(id, offset);
  return wave.from->channel.elementOfRun(*wave.segments[at], wave.slots[at]);
}

uint64_t GraphWaves::level(int id, int offset) {
  lane(id, offset);
  return current()->from->level;
}

void GraphWaves::tfree(int id, int offset) {
  GraphWave &wave = *current();
  uint32_t at = lane(id, offset);
  if (wave.states[at] != GraphWave::LaneState::Consuming)
    fatal("the element at offset %d of channel %d is freed twice; call tfree once", offset, id);
  wave.states[at] = GraphWave::LaneState::Freed;
}

//===--------------------------------------------------------------------------------------------------------------===//
// A wavefront's life
//===--------------------------------------------------------------------------------------------------------------===//

void GraphWaves::waveMain(void *argument) {
  GraphWave &wave = *static_cast<GraphWave *>(argument);
  GraphWaves &waves = *wave.owner;
  uint32_t lane = 0;
  for (uint32_t r = 0; r < wave.numRanges; ++r)
    for (uint64_t i = 0; i < wave.ranges[r].range.count; ++i, ++lane) {
      wave.segments[lane] = wave.ranges[r].segment;
      wave.slots[lane] = wave.segments[lane]->channel.deq(wave.ranges[r].range.first + i);
    }
  waves.shared.machine.point({tunables::kModelIssue, tunables::kModelLoadLatency});
  waves.runLanes(wave);
  waves.finish(wave);
}

void GraphWaves::laneMain(GraphWave &wave, uint32_t lane) {
  GraphWaves &waves = *wave.owner;
  GraphNode &node = *wave.from->node;
  if (waves.shared.machine.runsLanesInOrder())
    wave.executed.nextLane();
  waves.shared.machine.call(node, node.id, int(wave.first + lane));
  if (GraphWave *now = waves.current(); now != &wave) // the lane has left `wave`, whose object may belong to another
                                                      // wavefront now
    waves.finish(*now);
}

/// Runs the lanes. The time of their instructions passes at the end, as in compiled programs.
void GraphWaves::runLanes(GraphWave &running) {
  IssueCounts executed;
  if (shared.machine.runsLanesInOrder())
    running.executed.begin(laneMemory, shared.wave);
  shared.machine.runLanes(running, laneMain);
  if (shared.machine.runsLanesInOrder())
    executed = running.executed.finish();
  issues.add(executed);
  uint64_t instructions = executed.all();
  shared.machine.point({instructions ? instructions * tunables::kModelIssue : tunables::kModelKernelCycles, 0});
}

/// Publishes enqueued elements, neighbours together. First it adds all of them to the counts of their levels. Otherwise
/// a level could become ready while elements that it depends on are not published yet.
void GraphWaves::publish(GraphWave &wave) {
  for (GraphAllocation *allocation = wave.allocations; allocation; allocation = allocation->next)
    if (allocation->isEnqueued)
      channels.addLive(*allocation->channel, allocation->elements.count);
  GraphAllocation **link = &wave.allocations;
  while (GraphAllocation *allocation = *link) {
    if (!allocation->isEnqueued) {
      link = &allocation->next;
      continue;
    }
    GraphChannel &target = *allocation->channel;
    Reservation run = allocation->elements;
    *link = allocation->next;
    shared.arena.release(allocation, sizeof(GraphAllocation), alignof(GraphAllocation));
    // The list has the latest allocation first, so runs grow downwards.
    while (GraphAllocation *before = *link) {
      if (!before->isEnqueued || before->channel != &target || before->elements.segment != run.segment ||
          before->elements.position + before->elements.count != run.position)
        break;
      run.position = before->elements.position;
      run.count += before->elements.count;
      *link = before->next;
      shared.arena.release(before, sizeof(GraphAllocation), alignof(GraphAllocation));
    }
    shared.totals.elements += run.count;
    target.channel.publish(run, wave.cas);
    shared.isAwake = true;
  }
}

void GraphWaves::freeConsumed(GraphWave &wave) {
  uint32_t freed = 0;
  for (uint32_t r = 0, lane = 0; r < wave.numRanges; ++r) {
    DispatchedRange &from = wave.ranges[r];
    HostWave::PerLane<uint64_t> slots;
    uint64_t mask = 0, count = from.range.count;
    for (uint64_t i = 0; i < count; ++i, ++lane) {
      slots[unsigned(i)] = wave.slots[lane];
      if (wave.states[lane] != GraphWave::LaneState::Freed)
        continue;
      wave.states[lane] = GraphWave::LaneState::Flushed;
      mask |= uint64_t(1) << i;
    }
    if (!mask)
      continue;
    HostWave lanes(unsigned(count), mask);
    ++from.segment->users;
    from.segment->channel.tfree(lanes, slots);
    --from.segment->users;
    uint32_t members = uint32_t(__builtin_popcountll(mask));
    from.segment->outstanding -= members;
    freed += members;
  }
  if (!freed)
    return;
  channels.removeLive(*wave.from, freed);
  wave.from->channel.mayReclaim = true;
  channels.queueReclaim(*wave.from);
}

/// Makes the wavefront's enqs and tfrees take effect. Other wavefronts may wait for them.
void GraphWaves::flush(GraphWave &wave) {
  publish(wave);
  freeConsumed(wave);
  while (GraphGrant *grant = wave.grants) {
    wave.grants = grant->next;
    leave(*grant->channel, grant);
  }
}

/// Leaves the rest of a grant to other wavefronts.
void GraphWaves::leave(GraphChannel &target, GraphGrant *grant) {
  if (grant->left.count)
    channels.changed(target);
  target.channel.leave(channels.budget(*target.node), grant->left);
  shared.arena.release(grant, sizeof(GraphGrant), alignof(GraphGrant));
}

/// Puts the lane that runs into a wavefront of its own, with its element and the elements that it has allocated.
GraphWave &GraphWaves::takeLane(GraphWave &wave) {
  GraphWave &own = create(*wave.from);
  own.first = wave.first + wave.lane;
  own.lanes = 1;
  own.cu = wave.cu;
  own.numRanges = 1;
  uint64_t before = wave.lane;
  DispatchedRange *range = wave.ranges;
  for (; range->range.count <= before; ++range)
    before -= range->range.count;
  own.ranges[0] = {range->segment, {range->range.first + before, 1}};
  own.segments[0] = wave.segments[wave.lane];
  own.slots[0] = wave.slots[wave.lane];
  own.states[0] = wave.states[wave.lane];
  wave.states[wave.lane] = GraphWave::LaneState::Flushed;
  GraphAllocation **last = &own.allocations;
  for (GraphAllocation **link = &wave.allocations; GraphAllocation *allocation = *link;) {
    if (allocation->lane != wave.lane) {
      link = &allocation->next;
      continue;
    }
    *link = allocation->next;
    allocation->next = nullptr;
    allocation->lane = 0;
    *last = allocation;
    last = &allocation->next;
  }
  ++own.from->running;
  return own;
}

void GraphWaves::block(GraphWave &running, GraphChannel &target, uint64_t count, uint64_t seenChanges) {
  bool isApart = shared.machine.isLaneApart();
  GraphWave &wave = isApart ? takeLane(running) : running;
  flush(wave);
  wave.waitsFor = &target;
  wave.waitsCount = count;
  wave.seenChanges = seenChanges;
  target.mayRestart |= seenChanges != target.changes;
  wave.fiber = shared.machine.waitingFiber();
  channels.addWaiter(target, wave);
  ++shared.totals.yields;
  shared.report.trace.record({shared.machine.now(), 0, target.node->report->name, target.level, 0,
                              shared.machine.running()->index, TraceEvent::Kind::Yielded, WaveKind::Fresh});
  if (!isApart)
    ended(wave, *shared.machine.running());
  shared.isAwake = true;
  CountingState counting = countingState(); // other wavefronts count while this one waits
  shared.machine.detach();
  setCountingState(counting);
}

void GraphWaves::finish(GraphWave &wave) {
  flush(wave);
  int id = wave.from->node->id;
  for (uint32_t lane = 0; lane < wave.lanes; ++lane)
    if (wave.states[lane] == GraphWave::LaneState::Consuming)
      fatal("the kernel of channel %d returned without tfree of its element; call tfree before", id);
  if (wave.allocations)
    fatal("the kernel of channel %d returned without enq of elements that it had talloc'ed in channel %d; enq them "
          "before",
          id, wave.allocations->channel->node->id);
  shared.totals.cas_attempted += wave.cas.attempted;
  shared.totals.cas_failed += wave.cas.failed;
}

/// Records the end of a wavefront's time in a context.
void GraphWaves::ended(GraphWave &over, const Context &context) {
  shared.totals.context_cycles += shared.machine.now() - context.startedAt;
  shared.report.trace.record({context.startedAt, shared.machine.now() - context.startedAt,
                              over.from->node->report->name, over.from->level, over.lanes, context.index,
                              TraceEvent::Kind::Ran, WaveKind::Fresh});
}

GraphWave &GraphWaves::create(GraphChannel &from) {
  GraphWave *wave = free;
  if (wave)
    free = wave->next;
  else
    wave = static_cast<GraphWave *>(shared.arena.allocate(sizeof(GraphWave), alignof(GraphWave)));
  *wave = {};
  wave->owner = this;
  wave->from = &from;
  return *wave;
}

void GraphWaves::over(GraphWave &wave, const Context &context) {
  ended(wave, context);
  --wave.from->running;
  channels.eraseIfDone(*wave.from);
  wave.next = free;
  free = &wave;
  shared.isAwake = true;
}

void GraphWaves::publishHosts() {
  flush(hostWave);
  if (hostWave.allocations)
    fatal("the graph was executed with elements talloc'ed in channel %d that were not enqueued; enq them before",
          hostWave.allocations->channel->node->id);
}

} // namespace cilk2gpu::rt
