// See BoundedBlocks.h.
#include "blocks/BoundedBlocks.h"
#include "blocks/BlockWorkers.h"
#include "blocks/Pause.h"
#include "core/Tunables.h"
#include "process/HostEnvironment.h"
#include "process/Lock.h"

#include <algorithm>

namespace cilk2gpu::rt {

static uint64_t wordsFor(uint64_t bits) { return (bits + 63) / 64; }

BoundedBlocks::BoundedBlocks(BlockRun &run)
    : run(run), next(run.memory.array<uint32_t>(graph().nodes, "lists of ready blocks")),
      first(run.memory.zeroed<uint32_t>(run.levels.count, "lists of ready blocks")),
      hasReady(run.memory.zeroed<uint64_t>(wordsFor(run.levels.count), "lists of ready blocks")),
      runningLevels(run.memory.zeroed<uint32_t>(run.workers, "levels of workers")) {
  for (uint64_t node = graph().nodes; node-- > 0;) // the smallest ID comes first
    if (!graph().parents[node])
      push(node);
}

void BoundedBlocks::push(uint64_t node) {
  uint64_t level = run.levels.of[node];
  next[node] = first[level];
  first[level] = uint32_t(node + 1);
  hasReady[level / 64] |= uint64_t(1) << level % 64;
  lowestWord = std::min(lowestWord, level / 64);
  run.counters.mostReady = std::max(run.counters.mostReady, ++numReady);
}

/// Returns the lowest level that has ready blocks; kNone: none has.
uint64_t BoundedBlocks::lowestReady() {
  if (!numReady)
    return kNone;
  while (!hasReady[lowestWord])
    ++lowestWord;
  return lowestWord * 64 + uint64_t(__builtin_ctzll(hasReady[lowestWord]));
}

/// Returns whether a block of the level may run beside those that run. Notes the range of levels that it makes.
bool BoundedBlocks::mayRun(uint64_t level) {
  uint64_t lowest = level, highest = level;
  for (uint32_t worker = 0; worker < run.workers; ++worker)
    if (uint64_t running = runningLevels[worker]) {
      lowest = std::min(lowest, running - 1);
      highest = std::max(highest, running - 1);
    }
  if (highest - lowest > run.launch.policy.bound)
    return false;
  run.counters.levelRange = std::max(run.counters.levelRange, highest - lowest);
  return true;
}

/// Takes a block that may run; kNone: there is none now.
uint64_t BoundedBlocks::take(uint32_t worker) {
  uint64_t level = lowestReady();
  if (level == kNone || !mayRun(level))
    return kNone;
  uint64_t node = first[level] - 1;
  first[level] = next[node];
  if (!first[level])
    hasReady[level / 64] &= ~(uint64_t(1) << level % 64);
  --numReady;
  runningLevels[worker] = uint32_t(level + 1);
  return node;
}

/// Releases the lock and looks for a while whether other workers end blocks.
void BoundedBlocks::lookOut() {
  uint64_t seen = changes;
  pthread_mutex_unlock(&mutex);
  uint64_t until = hostClock() + tunables::kLookOutFor;
  while (__atomic_load_n(&changes, __ATOMIC_RELAXED) == seen && hostClock() < until) // a hint
    pauseProcessor();
  pthread_mutex_lock(&mutex);
}

/// Waits for a block that may run; kNone: the run is over.
uint64_t BoundedBlocks::await(uint32_t worker) {
  for (bool looked = false; !isOver(); looked = !looked) {
    if (uint64_t node = take(worker); node != kNone)
      return node;
    if (!looked) {
      lookOut();
      continue;
    }
    blockWorkers().checkNotLost();
    ++sleepers;
    pthread_cond_wait(&wake, &mutex);
    --sleepers;
  }
  return kNone;
}

/// A block has ended. Others may run now: its children, and those for which it was too many levels away.
void BoundedBlocks::complete(uint64_t node) {
  for (uint64_t edge = graph().starts[node + 1]; edge-- > graph().starts[node];)
    if (uint32_t child = graph().children[edge]; --graph().parents[child] == 0)
      push(child);
  ++run.counters.blocks;
  __atomic_store_n(&changes, changes + 1, __ATOMIC_RELAXED); // lookOut() reads it
  if (sleepers)
    pthread_cond_broadcast(&wake);
}

void BoundedBlocks::work(uint32_t worker) {
  Lock lock(mutex);
  for (uint64_t node; (node = await(worker)) != kNone;) {
    pthread_mutex_unlock(&mutex);
    run.launch.run(run.launch.context, node);
    pthread_mutex_lock(&mutex);
    runningLevels[worker] = 0;
    complete(node);
  }
}

} // namespace cilk2gpu::rt
