// See SharedBlocks.h.
#include "blocks/SharedBlocks.h"
#include "blocks/BlockWorkers.h"
#include "blocks/Pause.h"
#include "process/HostEnvironment.h"
#include "process/Lock.h"

#include <algorithm>

namespace cilk2gpu::rt {

SharedBlocks::SharedBlocks(BlockRun &run)
    : run(run), slots(run.memory.zeroed<uint32_t>(graph().nodes, "the queue of ready blocks")),
      runningLevels(run.isCounting && run.levels.of ? run.memory.zeroed<uint32_t>(run.workers, "levels of workers")
                                                    : nullptr) {
  for (uint64_t node = 0; node < graph().nodes; ++node)
    if (!graph().parents[node])
      slots[tail++] = uint32_t(node + 1);
  run.counters.mostReady = tail;
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
  uint64_t slot = __atomic_fetch_add(&tail, 1, __ATOMIC_RELAXED); // it only makes the slot this worker's
  // Release: pairs with pop(). Sequentially consistent, with the next load: pairs with sleep(). Either this worker sees
  // the sleeper, or the sleeper sees the slot.
  __atomic_exchange_n(&slots[slot], uint32_t(node + 1), __ATOMIC_SEQ_CST);
  if (run.isCounting)
    raise(run.counters.mostReady, slot + 1 - std::min(slot + 1, __atomic_load_n(&head, __ATOMIC_RELAXED)));
  if (!__atomic_load_n(&sleepers, __ATOMIC_SEQ_CST))
    return;
  Lock lock(mutex);
  pthread_cond_signal(&wake);
}

/// Takes the block that has been ready for longest; kNone if no slot is written.
uint64_t SharedBlocks::pop() {
  uint64_t first = __atomic_load_n(&head, __ATOMIC_RELAXED); // a stale value fails below
  while (first < graph().nodes) {
    uint32_t slot = __atomic_load_n(&slots[first], __ATOMIC_SEQ_CST); // acquire: pairs with push()
    if (!slot)
      return kNone;
    // Relaxed: the slot has what belongs to the block. No slot is written twice.
    if (__atomic_compare_exchange_n(&head, &first, first + 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return slot - 1;
  }
  return kNone;
}

/// Waits for a block, or the end of the run. A worker that shares a block locks the mutex after it has seen `sleepers`.
/// So its signal does not come between the last look here and the wait.
uint64_t SharedBlocks::sleep() {
  blockWorkers().checkNotLost();
  Lock lock(mutex);
  __atomic_fetch_add(&sleepers, 1, __ATOMIC_SEQ_CST); // pairs with push()
  uint64_t node;
  while ((node = pop()) == kNone && !isOver())
    pthread_cond_wait(&wake, &mutex);
  __atomic_fetch_sub(&sleepers, 1, __ATOMIC_RELAXED); // too large a number costs a signal
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
      if (uint64_t node = pop(); node != kNone)
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

/// Counts a block down that one of its parents has ended. Returns whether that was the last one.
///
/// A parent that finds 1 is the last one: nobody else will look at the count, so it need not be written. Acquire: pairs
/// with the release of the other parents, whose decrements form one release sequence.
static bool countDown(uint32_t &parents) {
  return __atomic_load_n(&parents, __ATOMIC_ACQUIRE) == 1 || __atomic_sub_fetch(&parents, 1, __ATOMIC_ACQ_REL) == 0;
}

/// A block has ended. Returns a child that is ready, and shares the others; kNone: there is none.
uint64_t SharedBlocks::complete(uint64_t node) {
  uint64_t kept = kNone;
  const BlockGraph &graph = this->graph();
  for (uint64_t edge = graph.starts[node], end = graph.starts[node + 1]; edge < end; ++edge)
    if (uint32_t child = graph.children[edge]; countDown(graph.parents[child])) {
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
    if (uint64_t older = pop(); older != kNone) {
      push(node);
      node = older;
    }
  }
  return blocks;
}

void SharedBlocks::work(uint32_t worker) {
  uint64_t finished = 0;
  for (uint64_t node = pop();; node = pop()) {
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
