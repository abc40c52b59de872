// Learns how long a block takes, while one worker runs blocks. Reading the clock takes as long as ten empty blocks. So
// the worker looks after 1, 2, 4 blocks and so on, and later after each 256. Blocks that take less than 8 ns have fewer
// looks. The first blocks wait for code and for pages of memory, so that single looks show too much.
//
//   BlockPace pace(1);
//   while (done < nodes) {
//     for (uint64_t end = std::min(nodes, pace.nextLook()); done < end; ++done)
//       ... run block `done` ...
//     pace.look(done);
//     if (pace.isKnown() && pace.cost() > 40)
//       break;
//   }
//
// Cost: 25 ns for each look, which is 0.1 ns for each block of a long run.
//
// Thread-safety: one thread.
#ifndef CILK2GPU_RUNTIME_BLOCKS_BLOCKPACE_H
#define CILK2GPU_RUNTIME_BLOCKS_BLOCKPACE_H

#include "core/Tunables.h"
#include "process/HostEnvironment.h"

#include <algorithm>

namespace cilk2gpu::rt {

class BlockPace {
public:
  /// The first look is to come after so many blocks.
  explicit BlockPace(uint64_t first) : window(first), next(first) {}

  /// Returns the number of ended blocks at which look() is to be called.
  uint64_t nextLook() const { return next; }

  void look(uint64_t ended) {
    uint64_t now = hostClock(), time = now - last;
    latestTime = time;
    isLong |= time > tunables::kLongBlock * (ended - lastEnded);
    before = latest;
    latest = std::max<uint64_t>(1, time / (ended - lastEnded));
    last = now;
    lastEnded = ended;
    const bool isShort = time < tunables::kShortLook;
    hasLearned |= !isShort && !wasShort && now - start >= tunables::kLearnFor;
    wasShort = isShort;
    if (window < tunables::kMostUnwatchedBlocks || (isShort && window < tunables::kMostShortBlocks))
      window *= 2;
    else if (window > tunables::kMostUnwatchedBlocks && time > 2 * tunables::kShortLook)
      window /= 2;
    next = ended + window;
  }

  /// Returns whether blocks have run for long enough, between two looks one after another at least.
  bool isKnown() const { return isLong || hasLearned; }

  /// Returns the nanoseconds of a block: the smaller of two means, so that one interruption has no effect.
  uint64_t cost() const { return before ? std::min(before, latest) : latest; }

  /// Returns the nanoseconds between the last two looks.
  uint64_t sinceLastLook() const { return latestTime; }

  /// Has the next look after at most `blocks` more blocks.
  void lookSoon(uint64_t blocks) { next = std::min(next, lastEnded + blocks); }

private:
  const uint64_t start = hostClock();
  uint64_t last = start, lastEnded = 0;
  uint64_t window, next;
  uint64_t before = 0, latest = 0; ///< mean nanoseconds of a block since a look; 0: there was none
  uint64_t latestTime = 0;
  bool isLong = false; ///< even one block is a reason to call other workers
  bool hasLearned = false, wasShort = true;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_BLOCKPACE_H
