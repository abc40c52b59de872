// See SharedBlocks.h.
#include "blocks/SharedBlocks.h"
#include "blocks/BlockWorkers.h"
#include "blocks/Pause.h"
#include "process/HostEnvironment.h"
#include "process/Lock.h"

#include <algorithm>

namespace cilk2gpu::rt {

SharedBlocks::SharedBlocks(BlockRun &run)
    : run(run),
      runningLevels(run.isCounting && run.levels.of ? run.memory.zeroed<uint32_t>(run.workers, "levels of workers")
                                                    : nullptr) {
  ready.initialise(run.memory.zeroed<uint32_t>(graph().nodes, "the queue of ready blocks"), graph().nodes);
  for (uint64_t node = 0; node < graph().nodes; ++node)
    if (!graph().parents[node])
      ready.push(node);
  run.counters.mostReady = ready.count();
}

SharedBlocks::~SharedBlocks() { run.counters.blocks = finishedBlocks; }

/// Raises a maximum that several workers raise. Relaxed: it is read when all workers have left.
static void raise(uint64_t &maximum, uint64_t value) {
  uint64_t old = __atomic_load_n(&maximum, __ATOMIC_RELAXED);
  while (old < value && !__atomic_compare_exchange_n(&maximum, &old, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

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

/// Shares a ready block, and wakes a worker that sleeps.
void SharedBlocks::push(uint64_t node) {
  bool mayWake = ready.push(node);
  if (run.isCounting)
    raise(run.counters.mostReady, ready.count());
  if (!mayWake)
    return;
  Lock lock(mutex);
  pthread_cond_signal(&wake);
}

/// Waits for a block, or the end of the run. A worker that shares a block locks the mutex after it was told to wake
/// another one. So its signal does not come between the last look here and the wait.
uint64_t SharedBlocks::sleep() {
  blockWorkers().checkNotLost();
  Lock lock(mutex);
  ready.beginSleep();
  uint64_t node;
  while ((node = ready.pop()) == kNone && !isOver())
    pthread_cond_wait(&wake, &mutex);
  ready.endSleep();
  return node;
}

void SharedBlocks::wakeAll() {
  Lock lock(mutex);
  pthread_cond_broadcast(&wake);
}

/// Adds the blocks that this worker has finished, and waits for another one; kNone: the run is over.
uint64_t SharedBlocks::await(uint64_t finished) {
  // Release: who sees that the run is over has seen all blocks. Pairs with isOver().
  if (__atomic_add_fetch(&finishedBlocks, finished, __ATOMIC_ACQ_REL) == graph().nodes) {
    wakeAll();
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
  uint64_t kept = kNone;
  const BlockGraph &graph = this->graph();
  for (uint64_t edge = graph.starts[node], end = graph.starts[node + 1]; edge < end; ++edge)
    if (uint32_t child = graph.children[edge]; countDown<WordAtomics>(graph.parents[child])) {
      if (kept == kNone)
        kept = child;
      else
        push(child);
    }
  return kept;
}

/// Runs a block, and then children of the last one as long as there are any. Others that have waited for longer come
/// first after tunables::kKeptBlocks of them. Returns how many blocks it ran.
uint64_t SharedBlocks::chain(uint64_t node, uint32_t worker) {
  uint64_t blocks = 0;
  for (uint32_t kept = 0; node != kNone; ++kept) {
    runBlock(node, worker);
    ++blocks;
    node = complete(node);
    if (kept < tunables::kKeptBlocks || node == kNone)
      continue;
    kept = 0;
    if (uint64_t older = ready.pop(); older != kNone) {
      push(node);
      node = older;
    }
  }
  return blocks;
}

void SharedBlocks::work(uint32_t worker) {
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
