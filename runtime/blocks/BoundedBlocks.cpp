// See BoundedBlocks.h.
#include "blocks/BoundedBlocks.h"
#include "blocks/BlockVector.h"
#include "blocks/BlockWorkers.h"
#include "blocks/Pause.h"
#include "core/Tunables.h"
#include "process/HostEnvironment.h"
#include "process/Lock.h"

#include <algorithm>

namespace cilk2gpu::rt {

static uint64_t wordsFor(uint64_t bits) { return (bits + 63) / 64; }

/// Returns how many blocks a worker takes at a time. `cost` is the time of a block; 0: unknown.
static uint32_t mostTakenOf(const BlockSharing &sharing, uint64_t cost) {
  if (sharing.taken)
    return std::min(sharing.taken, tunables::kMostTaken);
  return cost ? uint32_t(std::clamp<uint64_t>(tunables::kTakenTime / cost, 1, tunables::kMostTaken)) : 1;
}

BoundedBlocks::BoundedBlocks(BlockRun &run, const BlocksSoFar &soFar)
    : run(run), inLanes(soFar.inLanes && run.launch.forms.lanes),
      mostTaken(inLanes ? tunables::kBlocksOfVector / 2 : mostTakenOf(run.sharing, soFar.cost)),
      next(run.memory.array<uint32_t>(graph().nodes, "lists of ready blocks")),
      first(run.memory.zeroed<uint32_t>(run.levels.count, "lists of ready blocks")),
      hasReady(run.memory.zeroed<uint64_t>(wordsFor(run.levels.count), "lists of ready blocks")),
      runningLevels(run.memory.zeroed<uint32_t>(run.workers, "levels of workers")) {
  run.counters.blocks = soFar.ended;
  for (uint64_t slot = soFar.queued; slot-- > soFar.ended;) // the block that became ready first is taken first
    push(soFar.queue[slot] - 1);
  run.memory.release(soFar.queue);
}

uint64_t BoundedBlocks::bound(const BlockRun &run) {
  return BlockMemory::boundOf<uint32_t>(run.launch.graph.nodes) + BlockMemory::boundOf<uint32_t>(run.levels.count) +
         BlockMemory::boundOf<uint64_t>(wordsFor(run.levels.count)) + BlockMemory::boundOf<uint32_t>(run.workers);
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

/// Takes blocks that may run, and leaves as many to each other worker. Takes none if none may run now.
void BoundedBlocks::take(Taken &taken, uint32_t worker) {
  taken.count = 0;
  uint64_t level = lowestReady();
  if (level == kNone || !mayRun(level))
    return;
  uint64_t most = std::min<uint64_t>(mostTaken, (numReady + run.workers - 1) / run.workers);
  while (taken.count < most && first[level]) {
    uint32_t node = first[level] - 1;
    first[level] = next[node];
    taken.nodes[taken.count++] = node;
  }
  if (!first[level])
    hasReady[level / 64] &= ~(uint64_t(1) << level % 64);
  numReady -= taken.count;
  runningLevels[worker] = uint32_t(level + 1);
}

/// Takes the lock. It is held for some 50 ns, so it pays to look at it for a while before the thread sleeps.
void BoundedBlocks::lock() {
  for (uint32_t i = 0; i < tunables::kLocksTried; ++i) {
    if (pthread_mutex_trylock(&mutex) == 0)
      return;
    pauseProcessor();
  }
  pthread_mutex_lock(&mutex);
}

/// Releases the lock and looks for a while whether other workers end blocks.
void BoundedBlocks::lookOut() {
  uint64_t seen = changes;
  pthread_mutex_unlock(&mutex);
  uint64_t until = hostClock() + tunables::kLookOutFor;
  while (__atomic_load_n(&changes, __ATOMIC_RELAXED) == seen && hostClock() < until) // a hint
    pauseProcessor();
  lock();
}

/// Waits for blocks that may run; takes none if the run is over.
void BoundedBlocks::await(Taken &taken, uint32_t worker) {
  taken.count = 0;
  for (bool looked = false; !isOver(); looked = !looked) {
    take(taken, worker);
    if (taken.count)
      return;
    if (!looked) {
      lookOut();
      continue;
    }
    blockWorkers().checkNotLost();
    ++sleepers;
    pthread_cond_wait(&wake, &mutex);
    --sleepers;
  }
}

/// Blocks have ended. Others may run now: their children, and those for which they were too many levels away.
void BoundedBlocks::complete(const Taken &taken) {
  for (uint32_t i = 0; i < taken.count; ++i)
    eachChildBackwards(graph(), taken.nodes[i], [&](uint32_t child) {
      if (--graph().parents[child] == 0)
        push(child);
    });
  run.counters.blocks += taken.count;
  __atomic_store_n(&changes, changes + 1, __ATOMIC_RELAXED); // lookOut() reads it
  if (sleepers)
    pthread_cond_broadcast(&wake);
}

/// Runs blocks of one level, which do not wait for one another.
void BoundedBlocks::runTaken(const Taken &taken) const {
  if (inLanes)
    return BlockVector(run.launch, taken.count, [&](uint32_t i) { return taken.nodes[i]; }).run();
  for (uint32_t i = 0; i < taken.count; ++i)
    run.launch.run(run.launch.context, taken.nodes[i]);
}

void BoundedBlocks::work(uint32_t worker) {
  Taken taken;
  lock();
  for (await(taken, worker); taken.count; await(taken, worker)) {
    pthread_mutex_unlock(&mutex);
    runTaken(taken);
    lock();
    runningLevels[worker] = 0;
    complete(taken);
  }
  pthread_mutex_unlock(&mutex);
}

} // namespace cilk2gpu::rt
