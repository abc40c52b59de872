// Nodes, and the calls of kernels; the aggregator is in GraphAggregator.cpp.
#include "graph/GraphDevice.h"
#include "executors/model/Model.h"
#include "process/Message.h"

#include <stdio.h>

namespace cilk2gpu::rt {

template <typename T> static T *allocateZeroed(Arena &arena, uint64_t count) {
  T *result = static_cast<T *>(arena.allocate(count * sizeof(T), alignof(T)));
  for (uint64_t i = 0; i < count; ++i)
    result[i] = T{};
  return result;
}

static uint64_t noPressure(const Wavefront &opaque) {
  const GraphWave &wave = reinterpret_cast<const GraphWave &>(opaque);
  const GraphGrant *grant = wave.grants;
  return grant ? grant->channel->channel.outstanding() * 1000 / grant->channel->node->width + 1 : 0;
}

GraphDevice::GraphDevice(const Environment &environment, Device device, const MachineSettings &settings, uint32_t wave,
                         uint32_t doneCount, GraphReport &report)
    : environment(environment), arena(this->environment),
      machine(*findGraphMachine(device)->make(storage, {.environment = this->environment,
                                                        .arena = arena,
                                                        .settings = settings,
                                                        .body = waveMain,
                                                        .pressure = noPressure})),
      wave(wave), doneCount(doneCount), report(report), totals(report.counters),
      laneMemory(this->environment, tunables::kLaneCountBytes) {
  report.device = device;
  report.machine = settings;
  report.machine.shape = machine.shape();
  report.wave = wave;
  report.doneCount = doneCount;
  hostWave.device = this;
}

void GraphDevice::destroy() {
  machine.destroy();
  laneMemory.destroy();
  arena.destroy();
}

GraphNode &GraphDevice::addNode(uint64_t bytes, uint64_t width, bool isStack) {
  if (!bytes || bytes > UINT32_MAX || !width || width > tunables::kMaxWidth)
    fatal("a channel holds 1 to 2147483648 elements of 1 to 4294967295 bytes, not %llu of %llu",
          static_cast<unsigned long long>(width), static_cast<unsigned long long>(bytes));
  auto *node = allocateZeroed<GraphNode>(arena, 1);
  // An element is as aligned as its size allows, like an element of an array.
  uint64_t align = bytes & -bytes;
  node->id = numNodes++;
  node->field = {uint32_t(bytes), uint32_t(align < tunables::kGraphAlignment ? align : tunables::kGraphAlignment)};
  node->width = width;
  node->isStack = isStack;
  node->readiness = isStack ? GraphReadiness::WhenDeeperIsDone : GraphReadiness::Always;
  node->predicate = cilk2gpu::fillsWavefront;
  node->report = &report.addChannel(this->environment);
  node->report->id = node->id;
  node->report->isStack = isStack;
  node->report->width = width;
  node->report->elementBytes = bytes;
  snprintf(node->report->name, sizeof node->report->name, "channel %d", node->id);
  (lastNode ? lastNode->next : nodes) = node;
  lastNode = node;
  return *node;
}

GraphNode &GraphDevice::node(int id) {
  GraphNode *found = nodes;
  while (found && found->id != id)
    found = found->next;
  if (!found)
    fatal("there is no channel %d in this graph; channels have the numbers 0 to %d", id, numNodes - 1);
  return *found;
}

GraphChannel &GraphDevice::channel(GraphNode &node, uint64_t level) {
  if (!node.isStack && level)
    fatal("channel %d has no levels, but level %llu was asked for; make it a ChannelStackNode", node.id,
          static_cast<unsigned long long>(level));
  if (level >= node.numLevels) {
    uint64_t grown = level + 1 > 2 * node.numLevels ? level + 1 : 2 * node.numLevels;
    auto **fresh = allocateZeroed<GraphChannel *>(arena, grown);
    for (uint64_t i = 0; i < node.numLevels; ++i)
      fresh[i] = node.levels[i];
    arena.release(node.levels, node.numLevels * sizeof(void *), alignof(void *));
    node.levels = fresh;
    node.numLevels = grown;
  }
  GraphChannel *&at = node.levels[level];
  if (!at) {
    at = allocateZeroed<GraphChannel>(arena, 1);
    at->node = &node;
    at->level = level;
    at->channel.initialiseRuns({&node.field, 1}, node.width);
    ++node.report->levels;
  }
  return *at;
}

void GraphDevice::addLive(GraphChannel &at, uint64_t count) {
  at.live += count;
  at.node->live.insert(arena, at.level);
  at.node->report->elements += count;
  occupy(at, int64_t(count));
}

void GraphDevice::occupy(GraphChannel &at, int64_t change) {
  ChannelReport &channel = *at.node->report;
  channel.occupancy.change(machine.now(), change);
  report.trace.record(
      {machine.now(), 0, channel.name, 0, channel.occupancy.current, 0, TraceEvent::Kind::Occupancy, WaveKind::Fresh});
}

void GraphDevice::removeLive(GraphChannel &at, uint64_t count) {
  at.live -= count;
  occupy(at, -int64_t(count));
  eraseIfDone(at);
}

/// A channel counts a running wavefront until it ends, even if it has freed its elements: it may still enqueue more, or
/// write a result.
void GraphDevice::eraseIfDone(GraphChannel &at) {
  if (!at.live && !at.running)
    at.node->live.erase(at.level);
}

//===--------------------------------------------------------------------------------------------------------------===//
// Kernels' calls
//===--------------------------------------------------------------------------------------------------------------===//

/// Returns the calling wavefront; null for the host.
GraphWave *GraphDevice::current() const {
  Context *context = machine.running();
  return context ? reinterpret_cast<GraphWave *>(context->wavefront) : nullptr;
}

uint64_t GraphDevice::currentLevel() const {
  GraphWave *wave = current();
  return wave ? wave->from->level + 1 : 0;
}

uint32_t GraphDevice::lane(int id, int offset) const {
  const GraphWave *wave = current();
  if (!wave)
    fatal("deq, tfree and levelOf are for kernels, but the host called one; call it in a kernel");
  int own = int(wave->first + wave->lane);
  if (id != wave->from->node->id || offset != own)
    fatal("a kernel consumes the element at offset %d of channel %d, but asked for offset %d of channel %d", own,
          wave->from->node->id, offset, id);
  return wave->lane;
}

/// Reserves elements for this lane and, as far as there is plenty, for the lanes after it.
bool GraphDevice::reserve(GraphWave &wave, GraphChannel &target, uint64_t count) {
  uint64_t lanes = wave.lanes > wave.lane ? wave.lanes - wave.lane : 1;
  uint64_t share = target.channel.room(budget(*target.node), lanes) / (2 * (uint64_t(machine.occupied()) + 1)) / count;
  uint64_t asked = count * (share < 1 ? 1 : share < lanes ? share : lanes);
  // A channel without levels never runs empty, so its buffers would stay: it has a single buffer, as in the paper.
  // Levels are filled and then drained.
  uint64_t first = target.node->isStack ? 1 : target.node->width;
  Reservation got = target.channel.reserveRun(budget(*target.node), asked, count, first, wave.cas);
  if (target.channel.mayReclaim)
    queueReclaim(target);
  if (target.channel.hasMoreRoom) {
    target.channel.hasMoreRoom = false;
    changed(target);
  }
  if (!got.count)
    return false;
  auto *grant = allocateZeroed<GraphGrant>(arena, 1);
  *grant = {wave.grants, &target, got};
  wave.grants = grant;
  return true;
}

/// Gives back the rests of reservations while nothing runs. Returns whether there were any.
bool GraphDevice::freeSpares(GraphChannel &target) {
  bool any = target.channel.dropSpares(budget(*target.node));
  totals.elements_freed += target.channel.reclaim(budget(*target.node));
  return any;
}

void *GraphDevice::talloc(GraphNode &node, uint64_t level, uint64_t count) {
  if (!count || count > node.width)
    fatal("talloc of %llu elements in channel %d, which holds %llu; ask for 1 to as many as it holds",
          static_cast<unsigned long long>(count), node.id, static_cast<unsigned long long>(node.width));
  GraphChannel &target = channel(node, level);
  if (current())
    machine.beforeTalloc();
  for (;;) {
    GraphWave &wave = current() ? *current() : hostWave; // a lane that has waited may be in another one
    GraphGrant **link = &wave.grants;
    while (*link && (*link)->channel != &target)
      link = &(*link)->next;
    if (GraphGrant *grant = *link) {
      if (grant->left.count >= count) {
        auto *allocation = allocateZeroed<GraphAllocation>(arena, 1);
        *allocation = {wave.allocations, &target, {grant->left.segment, grant->left.position, count}, wave.lane, false};
        wave.allocations = allocation;
        grant->left.position += count;
        grant->left.count -= count;
        return target.channel.makeRun(allocation->elements);
      }
      *link = grant->next;
      leave(target, grant);
    }
    uint64_t seen = target.changes; // reserve() may lose its turn: elements freed meanwhile must count
    bool isGranted = reserve(wave, target, count);
    if (wave.hasPledge) {
      wave.hasPledge = false;
      target.pledged -= count;
      target.mayRestart = isAwake = true;
    }
    if (isGranted)
      continue;
    // Wavefronts of an earlier run may have left reservations.
    if (&wave == &hostWave && freeSpares(target))
      continue;
    if (&wave == &hostWave)
      fatal("channel %d is full: it holds %llu elements; make it wider, or execute the graph first", node.id,
            static_cast<unsigned long long>(node.width));
    block(wave, target, count, seen);
  }
}

void GraphDevice::enq(GraphNode &node, void *elements) {
  GraphWave &wave = current() ? *current() : hostWave;
  for (GraphAllocation *allocation = wave.allocations; allocation; allocation = allocation->next) {
    ChannelSegment &segment = *allocation->elements.segment;
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

void *GraphDevice::deq(int id, int offset) {
  GraphWave &wave = *current();
  uint32_t at = lane(id, offset);
  return wave.from->channel.elementOfRun(*wave.segments[at], wave.slots[at]);
}

uint64_t GraphDevice::level(int id, int offset) {
  lane(id, offset);
  return current()->from->level;
}

void GraphDevice::tfree(int id, int offset) {
  GraphWave &wave = *current();
  uint32_t at = lane(id, offset);
  if (wave.states[at] != GraphWave::LaneState::Consuming)
    fatal("the element at offset %d of channel %d is freed twice; call tfree once", offset, id);
  wave.states[at] = GraphWave::LaneState::Freed;
}

//===--------------------------------------------------------------------------------------------------------------===//
// A wavefront's life
//===--------------------------------------------------------------------------------------------------------------===//

void GraphDevice::waveMain(void *argument) {
  GraphWave &wave = *static_cast<GraphWave *>(argument);
  GraphDevice &device = *wave.device;
  uint32_t lane = 0;
  for (uint32_t r = 0; r < wave.numRanges; ++r)
    for (uint64_t i = 0; i < wave.ranges[r].range.count; ++i, ++lane) {
      wave.segments[lane] = wave.ranges[r].segment;
      wave.slots[lane] = wave.segments[lane]->channel.deq(wave.ranges[r].range.first + i);
    }
  device.machine.point({tunables::kModelIssue, tunables::kModelLoadLatency});
  device.runLanes(wave);
  device.finish(wave);
}

void GraphDevice::laneMain(GraphWave &wave, uint32_t lane) {
  GraphDevice &device = *wave.device;
  GraphNode &node = *wave.from->node;
  if (device.machine.runsLanesInOrder())
    wave.executed.nextLane();
  node.invoke(node.kernel, node.id, int(wave.first + lane));
  if (GraphWave *now = device.current(); now != &wave) // the lane has left `wave`, which may be another one by now
    device.finish(*now);
}

/// Runs the lanes. The time of their instructions passes at the end, as in compiled programs.
void GraphDevice::runLanes(GraphWave &running) {
  IssueCounts executed;
  if (machine.runsLanesInOrder())
    running.executed.begin(laneMemory, wave);
  machine.runLanes(running, laneMain);
  if (machine.runsLanesInOrder())
    executed = running.executed.finish();
  issues.add(executed);
  uint64_t instructions = executed.all();
  machine.point({instructions ? instructions * tunables::kModelIssue : tunables::kModelKernelCycles, 0});
}

/// Publishes enqueued elements, neighbours together. First it counts all of them as left. Otherwise a level could
/// become ready while elements that it depends on are not published yet.
void GraphDevice::publish(GraphWave &wave) {
  for (GraphAllocation *allocation = wave.allocations; allocation; allocation = allocation->next)
    if (allocation->isEnqueued)
      addLive(*allocation->channel, allocation->elements.count);
  GraphAllocation **link = &wave.allocations;
  while (GraphAllocation *allocation = *link) {
    if (!allocation->isEnqueued) {
      link = &allocation->next;
      continue;
    }
    GraphChannel &target = *allocation->channel;
    Reservation run = allocation->elements;
    *link = allocation->next;
    arena.release(allocation, sizeof(GraphAllocation), alignof(GraphAllocation));
    // The list has the latest allocation first, so runs grow downwards.
    while (GraphAllocation *before = *link) {
      if (!before->isEnqueued || before->channel != &target || before->elements.segment != run.segment ||
          before->elements.position + before->elements.count != run.position)
        break;
      run.position = before->elements.position;
      run.count += before->elements.count;
      *link = before->next;
      arena.release(before, sizeof(GraphAllocation), alignof(GraphAllocation));
    }
    totals.elements += run.count;
    target.channel.publish(run, wave.cas);
    isAwake = true;
  }
}

void GraphDevice::freeConsumed(GraphWave &wave) {
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
  removeLive(*wave.from, freed);
  wave.from->channel.mayReclaim = true;
  queueReclaim(*wave.from);
}

/// Makes the wavefront's enqs and tfrees take effect, which others may wait for.
void GraphDevice::flush(GraphWave &wave) {
  publish(wave);
  freeConsumed(wave);
  while (GraphGrant *grant = wave.grants) {
    wave.grants = grant->next;
    leave(*grant->channel, grant);
  }
}

/// Leaves the rest of a grant to others.
void GraphDevice::leave(GraphChannel &target, GraphGrant *grant) {
  if (grant->left.count)
    changed(target);
  target.channel.leave(budget(*target.node), grant->left);
  arena.release(grant, sizeof(GraphGrant), alignof(GraphGrant));
}

/// Puts the lane that runs into a wavefront of its own, with its element and the elements that it has allocated.
GraphWave &GraphDevice::takeLane(GraphWave &wave) {
  GraphWave &own = newWave(*wave.from);
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

void GraphDevice::block(GraphWave &running, GraphChannel &target, uint64_t count, uint64_t seenChanges) {
  bool isApart = machine.isLaneApart();
  GraphWave &wave = isApart ? takeLane(running) : running;
  flush(wave);
  wave.waitsFor = &target;
  wave.waitsCount = count;
  wave.seenChanges = seenChanges;
  target.mayRestart |= seenChanges != target.changes;
  wave.next = nullptr;
  wave.fiber = machine.waitingFiber();
  (target.lastWaiter ? target.lastWaiter->next : target.firstWaiter) = &wave;
  target.lastWaiter = &wave;
  ++numWaiting;
  if (!target.isWaitedFor) {
    target.isWaitedFor = true;
    target.nextWaiting = waitedFor;
    waitedFor = &target;
  }
  ++totals.yields;
  report.trace.record({machine.now(), 0, target.node->report->name, target.level, 0, machine.running()->index,
                       TraceEvent::Kind::Yielded, WaveKind::Fresh});
  if (!isApart)
    ended(wave, *machine.running());
  isAwake = true;
  CountingState counting = countingState(); // others count while this wavefront waits
  machine.detach();
  setCountingState(counting);
}

void GraphDevice::finish(GraphWave &wave) {
  flush(wave);
  int id = wave.from->node->id;
  for (uint32_t lane = 0; lane < wave.lanes; ++lane)
    if (wave.states[lane] == GraphWave::LaneState::Consuming)
      fatal("the kernel of channel %d returned without tfree of its element; call tfree before", id);
  if (wave.allocations)
    fatal("the kernel of channel %d returned without enq of elements that it had talloc'ed in channel %d; enq them "
          "before",
          id, wave.allocations->channel->node->id);
  totals.cas_attempted += wave.cas.attempted;
  totals.cas_failed += wave.cas.failed;
}

/// Records the end of a wavefront's time in a context.
void GraphDevice::ended(GraphWave &over, const Context &context) {
  totals.context_cycles += machine.now() - context.startedAt;
  report.trace.record({context.startedAt, machine.now() - context.startedAt, over.from->node->report->name,
                       over.from->level, over.lanes, context.index, TraceEvent::Kind::Ran, WaveKind::Fresh});
}

GraphReport &GraphDevice::reported() {
  totals.cycles = machine.now();
  totals.issue_cycles = machine.busy();
  if (!machine.model())
    totals.aggregator_cycles = totals.cycles - totals.issue_cycles;
  totals.stacks = machine.fibersCreated();
  totals.memory_high_water = arena.highWater();
  issues.store(totals);
  return report;
}

} // namespace cilk2gpu::rt
