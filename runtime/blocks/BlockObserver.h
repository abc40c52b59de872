// Sees which blocks run, for the trace (CILK2GPU_TRACE) and the watchdog (CILK2GPU_WATCHDOG). It stands between a
// machine and the blocks of a launch, so that every machine is seen, and a launch that nobody watches pays nothing:
//
//   machine -> observer.launch().run -> launch.run -> the kernel
//
// A machine that runs the threads of a block by itself has a RunningBlock for each block, as gpu-host does.
//
// Each block costs some 100 ns: two looks at the clock, and a lock that all workers share.
//
// Thread-safety: any thread may run blocks. The trace is read when the program ends.
#ifndef CILK2GPU_RUNTIME_BLOCKS_BLOCKOBSERVER_H
#define CILK2GPU_RUNTIME_BLOCKS_BLOCKOBSERVER_H

#include "blocks/BlockLaunch.h"
#include "blocks/BlockLevels.h"
#include "process/Devices.h"

namespace cilk2gpu::rt {

class BlockObserver {
public:
  /// `levels` are filled in before the first block runs; no levels: events have level 0.
  BlockObserver(const BlockLaunch &launch, Device device, const BlockLevels &levels);
  ~BlockObserver();
  BlockObserver(const BlockObserver &) = delete;

  /// The launch that a machine runs instead.
  const BlockLaunch &launch() const { return seen; }

private:
  static void runBlock(void *context, uint64_t node);

  const BlockLaunch &real;
  const BlockLevels &levels;
  const BlockLaunch seen;
  const uint32_t number; ///< of the launch in this process

  friend class RunningBlock;
  friend void reportRunningBlocks(void (*line)(void *, const char *), void *);
  uint64_t ended = 0; ///< blocks
};

/// A block that runs, from the object's begin to its end, on one thread of the host. All such blocks are a list. A
/// block that launches blocks is in it, too.
class RunningBlock {
public:
  RunningBlock(BlockObserver &observer, uint64_t node);
  ~RunningBlock();
  RunningBlock(const RunningBlock &) = delete;

private:
  friend void reportRunningBlocks(void (*line)(void *, const char *), void *);

  BlockObserver &observer;
  const uint64_t node, start;
  RunningBlock *next = nullptr, **link = nullptr;
};

/// A block that has run.
struct BlockEvent {
  uint64_t start, duration; ///< nanoseconds since the first observed launch
  uint64_t node, level;
  uint32_t launch; ///< number
  uint32_t thread; ///< number among the threads that have run blocks
};

struct ObservedLaunch {
  BlockNames names;
  Device device;
};

/// What the trace file has about blocks.
struct BlockTrace {
  BlockEvent *events = nullptr;
  ObservedLaunch *launches = nullptr; ///< [numLaunches]
  uint64_t numEvents = 0, cutAt = 0;
  uint32_t numLaunches = 0, numThreads = 0;
  bool isCut = false; ///< events were left out; `cutAt` is the time of the first one
};

/// Records events from now on, as many as are kept.
void recordBlocks(uint64_t mostEvents);
/// Returns the events; null: no launch was recorded.
const BlockTrace *blockTrace();

/// Returns the number of launches that are under way and observed.
uint32_t observedLaunches();
/// Returns a number that changes when a block begins or ends.
uint64_t blockProgress();
/// Calls line() with the state of each observed launch and of each block that runs.
void reportRunningBlocks(void (*line)(void *context, const char *text), void *context);

// Around fork(): no other thread holds the lock in the child.
void lockObservers();
void unlockObservers();

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_BLOCKOBSERVER_H
