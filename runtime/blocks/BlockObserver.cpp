// See BlockObserver.h. One mutex guards everything: a program that is traced or watched may be slower.
#include "blocks/BlockObserver.h"
#include "process/HostEnvironment.h"
#include "process/Lock.h"
#include "process/Message.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

namespace cilk2gpu::rt {

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; ///< guards what follows

struct Observations {
  RunningBlock *running;
  BlockTrace trace;
  uint64_t mostEvents, roomForEvents, begin;
  uint32_t underWay; ///< launches; atomic, for the watchdog
  uint64_t progress; ///< atomic, for the watchdog
};
static Observations seen = {};

static thread_local uint32_t ownThread = 0; ///< number of the thread plus 1; 0: it has none

void lockObservers() { pthread_mutex_lock(&mutex); }
void unlockObservers() { pthread_mutex_unlock(&mutex); }

uint32_t observedLaunches() { return __atomic_load_n(&seen.underWay, __ATOMIC_RELAXED); }
uint64_t blockProgress() { return __atomic_load_n(&seen.progress, __ATOMIC_RELAXED); }

static void addProgress() { __atomic_fetch_add(&seen.progress, 1, __ATOMIC_RELAXED); }

//===--------------------------------------------------------------------------------------------------------------===//
// Trace
//===--------------------------------------------------------------------------------------------------------------===//

void recordBlocks(uint64_t mostEvents) {
  Lock lock(mutex);
  seen.mostEvents = mostEvents;
}

const BlockTrace *blockTrace() { return seen.mostEvents && seen.trace.numLaunches ? &seen.trace : nullptr; }

/// Makes an array of the trace larger. Returns false if there is no memory for it.
template <class T> static bool grow(T *&array, uint64_t room) {
  void *larger = realloc(static_cast<void *>(array), room * sizeof(T));
  if (!larger)
    return false;
  array = static_cast<T *>(larger);
  return true;
}

/// Adds an event, unless there are enough. The mutex is held.
static void addEvent(const BlockEvent &event) {
  BlockTrace &trace = seen.trace;
  if (!seen.mostEvents)
    return;
  if (!trace.isCut && trace.numEvents == seen.roomForEvents && trace.numEvents < seen.mostEvents &&
      grow(trace.events, 2 * seen.roomForEvents + 1024))
    seen.roomForEvents = 2 * seen.roomForEvents + 1024;
  if (trace.isCut || trace.numEvents == seen.roomForEvents || trace.numEvents >= seen.mostEvents) {
    trace.cutAt = trace.isCut ? trace.cutAt : event.start;
    trace.isCut = true;
    return;
  }
  trace.events[trace.numEvents++] = event;
}

/// Gives a launch its number. The mutex is held.
static uint32_t addLaunch(const ObservedLaunch &launch) {
  BlockTrace &trace = seen.trace;
  if (trace.numLaunches == 0)
    seen.begin = hostClock();
  bool isPowerOf2 = (trace.numLaunches & (trace.numLaunches - 1)) == 0;
  if (seen.mostEvents && isPowerOf2 && !grow(trace.launches, 2 * uint64_t(trace.numLaunches) + 1))
    fatal("out of memory: the trace of launches of blocks (CILK2GPU_TRACE) could not be allocated");
  if (seen.mostEvents)
    trace.launches[trace.numLaunches] = launch;
  return trace.numLaunches++;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Blocks
//===--------------------------------------------------------------------------------------------------------------===//

RunningBlock::RunningBlock(BlockObserver &observer, uint64_t node)
    : observer(observer), node(node), start(hostClock()) {
  addProgress();
  Lock lock(mutex);
  if (!ownThread)
    ownThread = ++seen.trace.numThreads;
  next = seen.running;
  link = &seen.running;
  if (next)
    next->link = &next;
  seen.running = this;
}

RunningBlock::~RunningBlock() {
  uint64_t end = hostClock();
  addProgress();
  Lock lock(mutex);
  *link = next;
  if (next)
    next->link = link;
  ++observer.ended;
  addEvent({.start = start - seen.begin,
            .duration = end - start,
            .node = node,
            .level = observer.levels.of ? observer.levels.of[node] : 0,
            .launch = observer.number,
            .thread = ownThread - 1});
}

static uint32_t beginLaunch(const BlockLaunch &launch, Device device) {
  Lock lock(mutex);
  __atomic_fetch_add(&seen.underWay, 1, __ATOMIC_RELAXED);
  return addLaunch({.names = launch.graph.names, .device = device});
}

static BlockLaunch observedBy(BlockObserver &observer, const BlockLaunch &launch,
                              void (*run)(void *context, uint64_t node)) {
  BlockLaunch result = launch;
  result.run = run;
  result.context = &observer;
  result.forms = {}; // each block is seen by itself
  result.observer = &observer;
  return result;
}

BlockObserver::BlockObserver(const BlockLaunch &launch, Device device, const BlockLevels &levels)
    : real(launch), levels(levels), seen(observedBy(*this, launch, runBlock)), number(beginLaunch(launch, device)) {}

BlockObserver::~BlockObserver() { __atomic_fetch_sub(&rt::seen.underWay, 1, __ATOMIC_RELAXED); }

void BlockObserver::runBlock(void *context, uint64_t node) {
  BlockObserver &self = *static_cast<BlockObserver *>(context);
  RunningBlock running(self, node);
  self.real.run(self.real.context, node);
}

//===--------------------------------------------------------------------------------------------------------------===//
// Reports of the watchdog
//===--------------------------------------------------------------------------------------------------------------===//

void reportRunningBlocks(void (*line)(void *, const char *), void *context) {
  Lock lock(mutex);
  char text[160];
  uint64_t now = hostClock();
  if (!seen.running)
    line(context, "no block runs");
  for (const RunningBlock *block = seen.running; block; block = block->next) {
    const BlockObserver &observer = block->observer;
    snprintf(text, sizeof text, "%s has run for %llu s; of launch %u, %llu of %llu blocks have ended",
             observer.real.graph.names.of(block->node).text,
             static_cast<unsigned long long>((now - block->start) / 1'000'000'000), observer.number,
             static_cast<unsigned long long>(observer.ended),
             static_cast<unsigned long long>(observer.real.graph.nodes));
    line(context, text);
  }
}

} // namespace cilk2gpu::rt
