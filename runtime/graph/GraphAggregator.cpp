// See GraphAggregator.h.
#include "graph/GraphAggregator.h"
#include "executors/model/Model.h"
#include "process/Message.h"

namespace cilk2gpu::rt {

/// Counts an action, and makes the aggregator busy for its time.
void GraphAggregator::spend(uint64_t &counter, uint32_t cycles) {
  ++counter;
  uint64_t time = shared.machine.timeOf(cycles), start = freeAt > shared.machine.now() ? freeAt : shared.machine.now();
  shared.totals.aggregator_cycles += time;
  freeAt = start + time;
}

bool GraphAggregator::reclaim() {
  GraphChannel *at = channels.nextReclaim();
  if (!at)
    return false;
  uint64_t freed = at->channel.reclaim(channels.budget(*at->node));
  if (freed)
    channels.changed(*at);
  shared.totals.elements_freed += freed;
  spend(shared.totals.aggregator_reclaims, tunables::kAggregatorReclaim);
  return true;
}

/// Restarts a blocked wavefront on its CU, if its channel has changed since the wavefront was refused.
bool GraphAggregator::restart() {
  for (GraphChannel **link = &channels.waitedFor; GraphChannel *at = *link;) {
    if (!at->firstWaiter) {
      at->isWaitedFor = false;
      *link = at->nextWaiting;
      continue;
    }
    link = &at->nextWaiting;
    if (at->mayRestart && restartOf(*at))
      return true;
  }
  return false;
}

/// Restarts the first wavefront that may find room. A wavefront that needs much room does not hold up others that need
/// less.
bool GraphAggregator::restartOf(GraphChannel &at) {
  at.mayRestart = false;
  GraphWave *before = nullptr;
  for (GraphWave *wave = at.firstWaiter; wave; before = wave, wave = wave->next) {
    if (wave->seenChanges == at.changes || !at.channel.mayGrantRun(wave->waitsCount))
      continue;
    at.mayRestart = true;
    // Restarted wavefronts that have not asked yet need their room.
    if (at.pledged && at.channel.room(channels.budget(*at.node), 1) < at.pledged + wave->waitsCount)
      continue;
    Context *context = shared.machine.freeContext(wave->cu);
    if (!context)
      continue;
    (before ? before->next : at.firstWaiter) = wave->next;
    if (at.lastWaiter == wave)
      at.lastWaiter = before;
    resume(*wave, *context);
    return true;
  }
  return false;
}

void GraphAggregator::resume(GraphWave &wave, Context &context) {
  --channels.numWaiting;
  wave.hasPledge = true;
  wave.waitsFor->pledged += wave.waitsCount;
  spend(shared.totals.aggregator_restarts, tunables::kAggregatorDispatch);
  uint64_t start = freeAt + shared.machine.timeOf(tunables::kModelDispatchLatency);
  shared.machine.attach(context, wave, wave.fiber, start);
  context.startedAt = start;
  raise(shared.totals.contexts_high_water, shared.machine.occupied());
}

//===--------------------------------------------------------------------------------------------------------------===//
// Dispatching
//===--------------------------------------------------------------------------------------------------------------===//

void GraphAggregator::launch(GraphWave &started, Context &context) {
  for (uint32_t r = 0; r < started.numRanges; ++r)
    started.lanes += uint32_t(started.ranges[r].range.count);
  started.cu = context.cu;
  ++started.from->running;
  shared.totals.lane_slots += shared.wave;
  spend(shared.totals.wavefronts, tunables::kAggregatorDispatch);
  shared.machine.occupy(context, started, freeAt + shared.machine.timeOf(tunables::kModelDispatchLatency));
  raise(shared.totals.contexts_high_water, shared.machine.occupied());
}

bool GraphAggregator::dispatchFrom(GraphChannel &at, uint64_t most) {
  Context *context = shared.machine.freeContext();
  uint64_t room = shared.machine.laneRoom();
  if (!context || !room)
    return false;
  GraphWave &fresh = waves.create(at);
  most = most < room ? most : room;
  fresh.numRanges = at.channel.dispatch(most < shared.wave ? most : shared.wave, fresh.ranges, abi::kMaxWave);
  at.readySince = 0;
  launch(fresh, *context);
  shared.totals.lanes += fresh.lanes;
  return true;
}

ChannelState GraphAggregator::stateOf(GraphChannel &at) {
  uint64_t ready = at.channel.ready(), now = shared.machine.now();
  if (!ready)
    at.readySince = 0;
  else if (!at.readySince)
    at.readySince = now + 1;
  uint64_t since = at.readySince ? now + 1 - at.readySince : 0;
  return {at.node->id, int(at.level), ready, at.live, at.running, at.node->width(), since, shared.wave};
}

bool GraphAggregator::holds(GraphChannel &at) { return at.node->predicate(at.node->predicateContext, stateOf(at)); }

/// Dispatches from the deepest level of a node that may run.
bool GraphAggregator::dispatchNode(GraphNode &node, bool force) {
  bool isDispatched = false;
  node.live.findDeepest([&](uint64_t level) {
    GraphChannel &at = *node.levels[level];
    if (!channels.isReady(at))
      return true; // shallower levels may not run, either
    // While wavefronts wait for this channel, others that consume from it are likely to join them. They would hold
    // their elements meanwhile.
    bool wants = at.channel.ready() && (force || (!at.firstWaiter && holds(at)));
    return isDispatched = wants && dispatchFrom(at, shared.wave);
  });
  return isDispatched;
}

/// Lets the user's scheduler choose among the channels with elements or wavefronts left.
bool GraphAggregator::askScheduler() {
  uint64_t count = 0;
  for (int pass = 0; pass < 2; ++pass) {
    count = 0;
    for (GraphNode *node = channels.first(); node; node = node->next)
      for (uint64_t level = node->live.atOrBelow(0); level != LevelSet::kNone;
           level = node->live.atOrBelow(level + 1)) {
        if (count < numStates) {
          states[count] = stateOf(*node->levels[level]);
          stateChannels[count] = node->levels[level];
        }
        ++count;
      }
    if (count <= numStates)
      break;
    states =
        static_cast<ChannelState *>(shared.arena.allocate(2 * count * sizeof(ChannelState), alignof(ChannelState)));
    stateChannels = static_cast<GraphChannel **>(shared.arena.allocate(2 * count * sizeof(void *), alignof(void *)));
    numStates = 2 * count;
  }
  Dispatch choice = {0, 0};
  if (!count || !scheduler(schedulerContext, states, count, choice))
    return false;
  if (choice.channel >= count || !choice.count || choice.count > states[choice.channel].ready)
    fatal("the scheduler chose %llu elements of entry %llu, but there are %llu entries%s",
          static_cast<unsigned long long>(choice.count), static_cast<unsigned long long>(choice.channel),
          static_cast<unsigned long long>(count),
          choice.channel < count ? " and fewer elements are ready in it; choose 1 to as many as are ready" : "");
  return dispatchFrom(*stateChannels[choice.channel], choice.count);
}

bool GraphAggregator::dispatch() {
  if (shared.machine.occupied() == shared.machine.shape().contexts() ||
      channels.numWaiting >= shared.machine.mostWaiting())
    return false;
  if (scheduler)
    return askScheduler();
  for (GraphNode *node = channels.first(); node; node = node->next)
    if (dispatchNode(*node, false))
      return true;
  if (shared.machine.occupied())
    return false;
  for (GraphNode *node = channels.first(); node; node = node->next)
    if (dispatchNode(*node, true))
      return true;
  return false;
}

/// Drops the rests of reservations, once nothing runs: nobody will take them.
bool GraphAggregator::dropSpares() {
  if (shared.machine.occupied())
    return false;
  bool any = false;
  for (GraphChannel *at = channels.waitedFor; at; at = at->nextWaiting)
    if (at->channel.dropSpares(channels.budget(*at->node))) {
      any = true;
      channels.changed(*at);
      channels.queueReclaim(*at);
    }
  return any;
}

/// Splits a wavefront when nothing else can be done. Lanes behind a lane that waits continue in a wavefront of their
/// own: it may wait for their elements. Where lanes run in lockstep, these lanes would have freed them.
bool GraphAggregator::split() {
  if (shared.machine.occupied() || channels.numWaiting >= tunables::kMostWaiting)
    return false;
  for (GraphChannel *at = channels.waitedFor; at; at = at->nextWaiting)
    for (GraphWave *waiting = at->firstWaiter; waiting; waiting = waiting->next)
      if (waiting->lane + 1 < waiting->lanes) {
        splitBehind(*waiting);
        return true;
      }
  return false;
}

void GraphAggregator::splitBehind(GraphWave &waiting) {
  GraphWave &others = waves.create(*waiting.from);
  uint64_t kept = waiting.lane + 1;
  waiting.lanes = uint32_t(kept);
  uint32_t numKept = 0;
  for (uint32_t r = 0; r < waiting.numRanges; ++r) {
    DispatchedRange &own = waiting.ranges[r];
    uint64_t stays = own.range.count < kept ? own.range.count : kept;
    kept -= stays;
    if (stays < own.range.count)
      others.ranges[others.numRanges++] = {own.segment, {own.range.first + stays, own.range.count - stays}};
    own.range.count = stays;
    numKept += stays != 0;
  }
  waiting.numRanges = numKept;
  launch(others, *shared.machine.freeContext());
}

bool GraphAggregator::act() { return reclaim() || restart() || dispatch() || dropSpares() || split(); }

void GraphAggregator::stalled() {
  note("error: the graph cannot go on; who waits for what:");
  bool isFull = false;
  for (GraphNode *node = channels.first(); node; node = node->next)
    for (uint64_t level = 0; level < node->numLevels; ++level) {
      GraphChannel *at = node->levels[level];
      if (!at || (!at->live && !at->firstWaiter))
        continue;
      uint64_t waiting = 0;
      for (GraphWave *wave = at->firstWaiter; wave; wave = wave->next)
        ++waiting;
      isFull |= waiting != 0;
      note("  channel %d, level %llu: %llu of %llu elements, %llu ready; %llu wavefronts wait for room", node->id,
           static_cast<unsigned long long>(level), static_cast<unsigned long long>(at->channel.outstanding()),
           static_cast<unsigned long long>(node->width()), static_cast<unsigned long long>(at->channel.ready()),
           static_cast<unsigned long long>(waiting));
    }
  if (isFull && !shared.machine.laneRoom())
    fatal("all lanes that the GPU has for kernels wait for room: make channels wider, free elements earlier, or use "
          "CILK2GPU_DEVICE=native");
  fatal(isFull ? "a channel is too narrow: make it wider, or use channel stacks, which are drained deepest level first"
               : "the scheduler chooses nothing although elements are ready and nothing runs; choose elements");
}

} // namespace cilk2gpu::rt
