// See SharedBlocks.h.
#include "blocks/SharedBlocks.h"
#include "blocks/BlockVector.h"
#include "blocks/BlockWorkers.h"
#include "blocks/Pause.h"
#include "process/HostEnvironment.h"
#include "process/Lock.h"

#include <algorithm>

namespace cilk2gpu::rt {

/// Raises a maximum that several workers raise. Relaxed: it is read when all workers have left.
static void raise(uint64_t &maximum, uint64_t value) {
  uint64_t old = __atomic_load_n(&maximum, __ATOMIC_RELAXED);
  while (old < value && !__atomic_compare_exchange_n(&maximum, &old, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

/// Returns how many children of its own blocks a worker runs in a row. `cost` is the time of a block; 0: unknown.
static uint32_t mostKeptOf(uint64_t cost) {
  return cost ? uint32_t(std::clamp<uint64_t>(tunables::kKeptTime / cost, 1, tunables::kKeptBlocks))
              : tunables::kKeptBlocks;
}

SharedBlocks::SharedBlocks(BlockRun &run, const BlocksSoFar &soFar)
    : run(run), mostKept(mostKeptOf(soFar.cost)), inLanes(soFar.inLanes && run.launch.forms.lanes && !run.isCounting),
      runningLevels(run.isCounting && run.levels.of ? run.memory.zeroed<uint32_t>(run.workers, "levels of workers")
                                                    : nullptr),
      finishedBlocks(soFar.ended) {
  if (soFar.queue)
    ready.initialise(soFar.queue, graph().nodes, soFar.ended, soFar.queued);
  else
    pushFirst(soFar.ended);
  raise(run.counters.mostReady, ready.count());
}

/// Shares the blocks that can begin when the first `ended` ones have ended.
void SharedBlocks::pushFirst(uint64_t ended) {
  ready.initialise(run.memory.zeroed<uint32_t>(graph().nodes, "the queue of ready blocks"), graph().nodes);
  for (uint64_t node = 0; node < ended; ++node)
    eachChild(graph(), node, [&](uint32_t child) { --graph().parents[child]; });
  for (uint64_t node = ended; node < graph().nodes; ++node)
    if (!graph().parents[node])
      ready.push(uint32_t(node));
}

SharedBlocks::~SharedBlocks() { run.counters.blocks = finishedBlocks; }

/// Compares the level of a block that begins with those of other workers. Relaxed: a worker that ends a block meanwhile
/// may be counted with it.
void SharedBlocks::noteLevel(uint64_t node, uint32_t worker) {
  uint32_t own = run.levels.of[node] + 1;
  __atomic_store_n(&runningLevels[worker], own, __ATOMIC_RELAXED);
  uint32_t lowest = own, highest = own;
  for (uint32_t w = 0; w < run.workers; ++w)
    if (uint32_t level = __atomic_load_n(&runningLevels[w], __ATOMIC_RELAXED)) {
      lowest = std::min(lowest, level);
      highest = std::max(highest, level);
    }
  raise(run.counters.levelRange, highest - lowest);
}

void SharedBlocks::runBlock(uint64_t node, uint32_t worker) {
  if (runningLevels)
    noteLevel(node, worker);
  run.launch.run(run.launch.context, node);
  if (runningLevels)
    __atomic_store_n(&runningLevels[worker], 0, __ATOMIC_RELAXED); // as in noteLevel()
}

//===--------------------------------------------------------------------------------------------------------------===//
// The queue
//===--------------------------------------------------------------------------------------------------------------===//

/// Wakes a worker that sleeps, or all of them.
void SharedBlocks::wake(bool all) {
  Lock lock(mutex);
  if (all)
    pthread_cond_broadcast(&changes);
  else
    pthread_cond_signal(&changes);
}

/// Shares a ready block.
void SharedBlocks::push(uint32_t node) {
  bool mayWake = ready.push(node);
  if (run.isCounting)
    raise(run.counters.mostReady, ready.count());
  if (mayWake)
    wake(false);
}

/// Shares several ready blocks.
void SharedBlocks::push(const uint32_t *nodes, uint32_t count) {
  bool mayWake = ready.push(nodes, count);
  if (run.isCounting)
    raise(run.counters.mostReady, ready.count());
  if (mayWake)
    wake(true);
}

/// Waits for a block, or the end of the run. A worker that shares a block locks the mutex after it was told to wake
/// another one. So its signal does not come between the last look here and the wait.
uint64_t SharedBlocks::sleep() {
  blockWorkers().checkNotLost();
  Lock lock(mutex);
  ready.beginSleep();
  uint64_t node;
  while ((node = ready.pop()) == kNone && !isOver())
    pthread_cond_wait(&changes, &mutex);
  ready.endSleep();
  return node;
}

/// Adds the blocks that this worker has finished, and waits for another one; kNone: the run is over.
uint64_t SharedBlocks::await(uint64_t finished) {
  // Release: who sees that the run is over has seen all blocks. Pairs with isOver().
  if (__atomic_add_fetch(&finishedBlocks, finished, __ATOMIC_ACQ_REL) == graph().nodes) {
    wake(true);
    return kNone;
  }
  uint64_t until = hostClock() + tunables::kLookOutFor;
  do {
    for (uint32_t i = 0; i < 32; ++i) {
      if (uint64_t node = ready.pop(); node != kNone)
        return node;
      if (isOver())
        return kNone;
      pauseProcessor();
    }
  } while (hostClock() < until);
  return sleep();
}

//===--------------------------------------------------------------------------------------------------------------===//
// Blocks
//===--------------------------------------------------------------------------------------------------------------===//

/// A block has ended. Returns a child that is ready, and shares the others; kNone: there is none.
uint64_t SharedBlocks::complete(uint64_t node) {
  constexpr uint32_t most = 64;
  uint32_t others[most], numOthers = 0;
  uint64_t kept = kNone;
  const BlockGraph &graph = this->graph();
  eachChild(graph, node, [&](uint32_t child) {
    if (!countDown<WordAtomics>(graph.parents[child]))
      return;
    if (kept == kNone) {
      kept = child;
      return;
    }
    if (numOthers == most) {
      push(others, most);
      numOthers = 0;
    }
    others[numOthers++] = child;
  });
  if (numOthers == 1)
    push(others[0]);
  else if (numOthers)
    push(others, numOthers);
  return kept;
}

/// Runs a block, and then children of the last one as long as there are any. Others that have waited for longer come
/// first after `mostKept` of them. Returns how many blocks it ran.
uint64_t SharedBlocks::chain(uint64_t node, uint32_t worker) {
  uint64_t blocks = 0;
  for (uint32_t kept = 0; node != kNone; ++kept) {
    runBlock(node, worker);
    ++blocks;
    node = complete(node);
    if (kept < mostKept || node == kNone)
      continue;
    kept = 0;
    if (uint64_t older = ready.pop(); older != kNone) {
      push(uint32_t(node));
      node = older;
    }
  }
  return blocks;
}

/// Blocks of a vector have ended. Keeps children that are ready, as many as a vector has, and shares the others. If
/// nothing else is shared, other workers get half of them. Returns how many were kept.
uint32_t SharedBlocks::completeAll(const uint32_t *nodes, uint32_t count, uint32_t *kept) {
  uint32_t numKept = 0;
  auto shareLast = [&](uint32_t some) {
    numKept -= some;
    if (some == 1)
      push(kept[numKept]);
    else if (some)
      push(kept + numKept, some);
  };
  for (uint32_t i = 0; i < count; ++i)
    eachChild(graph(), nodes[i], [&](uint32_t child) {
      if (!countDown<WordAtomics>(graph().parents[child]))
        return;
      if (numKept == BlockVector::kMost)
        shareLast(BlockVector::kMost / 2);
      kept[numKept++] = child;
    });
  if (run.workers > 1 && !ready.count())
    shareLast(numKept / 2);
  return numKept;
}

/// As work(). A worker takes what it has made ready, and fills its vector with other blocks that are ready.
void SharedBlocks::workInLanes() {
  uint32_t nodes[BlockVector::kMost], kept[BlockVector::kMost], count = 0;
  for (uint64_t finished = 0;;) {
    for (uint64_t node; count < BlockVector::kMost / 2 && (node = ready.pop()) != kNone;)
      nodes[count++] = uint32_t(node);
    if (!count) {
      uint64_t node = await(finished);
      finished = 0;
      if (node == kNone)
        return;
      nodes[count++] = uint32_t(node);
    }
    BlockVector(run.launch, count, [&](uint32_t i) { return nodes[i]; }).run();
    finished += count;
    count = completeAll(nodes, count, kept);
    std::copy(kept, kept + count, nodes);
  }
}

void SharedBlocks::work(uint32_t worker) {
  if (inLanes)
    return workInLanes();
  uint64_t finished = 0;
  for (uint64_t node = ready.pop();; node = ready.pop()) {
    if (node == kNone) {
      node = await(finished);
      finished = 0;
      if (node == kNone)
        return;
    }
    finished += chain(node, worker);
  }
}

} // namespace cilk2gpu::rt
