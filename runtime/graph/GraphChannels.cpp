// See GraphChannels.h.
#include "graph/GraphChannels.h"
#include "core/Levelization.h"
#include "process/Message.h"

#include <new>
#include <stdio.h>

namespace cilk2gpu::rt {

/// Describes a node. Elements of a stack wait until nothing is left deeper.
NodeRecord *GraphChannels::createRecord(const char *name, uint64_t bytes, uint64_t width, bool isStack) {
  const Environment &environment = shared.environment;
  void *memory = environment.allocate(environment.context, sizeof(NodeRecord), alignof(NodeRecord));
  if (!memory) {
    environment.fail(environment.context,
                     {FailureKind::OutOfMemory, "a channel's record", nullptr, sizeof(NodeRecord)});
    __builtin_unreachable();
  }
  auto *record = new (memory) NodeRecord;
  // An element is as aligned as its size allows, like an element of an array.
  uint64_t align = bytes & -bytes;
  record->field = {uint32_t(bytes), uint32_t(align < tunables::kGraphAlignment ? align : tunables::kGraphAlignment)};
  record->node.name = name;
  record->node.fields = &record->field;
  record->node.numFields = 1;
  record->node.edges = &record->edge;
  record->node.kind = isStack ? abi::NodeKind::Task : abi::NodeKind::Queue;
  record->node.capacity = width;
  record->node.numEdges = isStack;
  record->edge = {.from = nullptr, .to = &record->node, .kernel = 0, .readiness = abi::ReadinessKind::DrainedBelow};
  return record;
}

GraphNode &GraphChannels::add(uint64_t bytes, uint64_t width, bool isStack) {
  if (!bytes || bytes > UINT32_MAX || !width || width > tunables::kMaxWidth)
    fatal("a channel holds 1 to 2147483648 elements of 1 to 4294967295 bytes, not %llu of %llu",
          static_cast<unsigned long long>(width), static_cast<unsigned long long>(bytes));
  auto *node = allocateZeroed<GraphNode>(shared.arena, 1);
  node->id = numNodes++;
  node->report = &shared.report.addChannel(shared.environment);
  node->report->id = node->id;
  node->report->isStack = isStack;
  node->report->width = width;
  node->report->elementBytes = bytes;
  snprintf(node->report->name, sizeof node->report->name, "channel %d", node->id);
  node->record = createRecord(node->report->name, bytes, width, isStack);
  node->info = tasks.addChannel(&node->record->node);
  node->predicate = cilk2gpu::fillsWavefront;
  (lastNode ? lastNode->next : nodes) = node;
  lastNode = node;
  return *node;
}

void GraphChannels::setReadiness(GraphNode &node, GraphReadiness readiness) {
  node.record->node.numEdges = readiness == GraphReadiness::WhenDeeperIsDone;
  tasks.closeAgain(node.info);
}

void GraphChannels::destroy() {
  const Environment &environment = shared.environment;
  for (GraphNode *node = nodes; node; node = node->next)
    environment.release(environment.context, node->record, sizeof(NodeRecord), alignof(NodeRecord));
  tasks.destroy();
}

GraphNode &GraphChannels::find(int id) {
  GraphNode *found = nodes;
  while (found && found->id != id)
    found = found->next;
  if (!found)
    fatal("there is no channel %d in this graph; channels have the numbers 0 to %d", id, numNodes - 1);
  return *found;
}

GraphChannel &GraphChannels::at(GraphNode &node, uint64_t level) {
  if (!node.isStack() && level)
    fatal("channel %d has no levels, but level %llu was asked for; make it a ChannelStackNode", node.id,
          static_cast<unsigned long long>(level));
  if (level >= node.numLevels) {
    uint64_t grown = level + 1 > 2 * node.numLevels ? level + 1 : 2 * node.numLevels;
    auto **fresh = allocateZeroed<GraphChannel *>(shared.arena, grown);
    for (uint64_t i = 0; i < node.numLevels; ++i)
      fresh[i] = node.levels[i];
    shared.arena.release(node.levels, node.numLevels * sizeof(void *), alignof(void *));
    node.levels = fresh;
    node.numLevels = grown;
  }
  GraphChannel *&at = node.levels[level];
  if (!at) {
    at = allocateZeroed<GraphChannel>(shared.arena, 1);
    at->node = &node;
    at->level = level;
    at->channel.initialiseRuns(node.info->element, node.width());
    ++node.report->levels;
  }
  return *at;
}

void GraphChannels::addLive(GraphChannel &at, uint64_t count) {
  at.live += count;
  at.node->live.insert(shared.arena, at.level);
  at.node->report->elements += count;
  occupy(at, int64_t(count));
}

void GraphChannels::occupy(GraphChannel &at, int64_t change) {
  ChannelReport &channel = *at.node->report;
  channel.occupancy.change(shared.machine.now(), change);
  shared.report.trace.record({shared.machine.now(), 0, channel.name, 0, channel.occupancy.current, 0,
                              TraceEvent::Kind::Occupancy, WaveKind::Fresh});
}

void GraphChannels::removeLive(GraphChannel &at, uint64_t count) {
  at.live -= count;
  occupy(at, -int64_t(count));
  eraseIfDone(at);
}

/// A channel counts a running wavefront until it ends, even if it has freed its elements: it may still enqueue more, or
/// write a result.
void GraphChannels::eraseIfDone(GraphChannel &at) {
  if (!at.live && !at.running)
    at.node->live.erase(at.level);
}

void GraphChannels::queueReclaim(GraphChannel &at) {
  shared.isAwake = true;
  if (at.awaitsReclaim)
    return;
  at.awaitsReclaim = true;
  at.nextReclaim = reclaims;
  reclaims = &at;
}

GraphChannel *GraphChannels::nextReclaim() {
  GraphChannel *at = reclaims;
  if (!at)
    return nullptr;
  reclaims = at->nextReclaim;
  at->awaitsReclaim = false;
  return at;
}

void GraphChannels::addWaiter(GraphChannel &at, GraphWave &wave) {
  wave.next = nullptr;
  (at.lastWaiter ? at.lastWaiter->next : at.firstWaiter) = &wave;
  at.lastWaiter = &wave;
  ++numWaiting;
  if (at.isWaitedFor)
    return;
  at.isWaitedFor = true;
  at.nextWaiting = waitedFor;
  waitedFor = &at;
}

/// A channel without levels is below all levels of stacks.
bool GraphChannels::isReady(const GraphChannel &at) const {
  auto anyBelow = [this](uint64_t index, auto predicate) {
    for (const GraphNode *node = nodes; node; node = node->next) {
      uint64_t deepest = node->live.deepest();
      if (deepest != LevelSet::kNone && (!node->isStack() || deepest > index) && predicate(node->info))
        return true;
    }
    return false;
  };
  return isDrainedBelow(anyBelow, at.level, at.node->info->awaited[0]);
}

bool GraphChannels::isLive() const {
  for (const GraphNode *node = nodes; node; node = node->next)
    if (node->live.deepest() != LevelSet::kNone)
      return true;
  return waitedFor && waitedFor->firstWaiter;
}

} // namespace cilk2gpu::rt
