// The times of the modelled machine for block graphs, in cycles at 700 MHz: Wireframe, MICRO 2017, sections 5.1 and
// 5.3.
//
// The paper gives the time of a host launch. The other times are not in it. A time that was chosen so that results come
// near to the paper's is marked "calibrated".
#ifndef CILK2GPU_RUNTIME_BLOCKS_DATS_DATSTIMING_H
#define CILK2GPU_RUNTIME_BLOCKS_DATS_DATSTIMING_H

#include "core/Generator.h"

#include <stdint.h>

namespace cilk2gpu::rt {

struct DatsTiming {
  uint64_t hostLaunch = 21000;   ///< 30 microseconds (section 5.1)
  uint64_t deviceLaunch = 12730; ///< calibrated: CDP is 6.87 % faster than Global at 4K nodes (section 5.3)
  uint64_t memoryLatency = 500;  ///< of a request of the scheduler; chosen, because the paper does not give it
  uint64_t joinNode = 100;       ///< an empty block; chosen
  uint64_t blockRequests = 104;  ///< memory requests of a block; calibrated: the overhead is 0.12 % at 4K nodes
};

/// The time that each block takes: in proportion to its instructions, with a spread. Without counts of instructions,
/// all blocks have as many. The same block takes the same time in all versions, so that the versions can be compared.
struct BlockDurations {
  /// Compute time by launch time in the version Global, for graphs of 1K, 4K and 9K nodes (section 5.3, figure 12).
  static constexpr uint64_t kRatio1K = 8, kRatio4K = 5, kRatio9K = 3;
  /// Calibrated: the coefficient of variation in thousandths. Between 60 and 100, the speed-ups are near the paper's.
  static constexpr uint64_t kSpread = 80;

  uint64_t mean = kRatio4K * 21000; ///< cycles; DatsOptions::scaleDurations() sets it for a graph
  uint64_t spread = kSpread;
  uint64_t seed = 1;
  const uint64_t *instructions = nullptr; ///< of each block; null: all blocks have as many
  uint64_t meanInstructions = 1;          ///< a block with as many takes `mean` cycles, on the average

  /// Compute time by launch time, in thousandths, for a graph of `nodes` blocks. Between the paper's three sizes it is
  /// on straight lines, and outside it is that of the next size.
  static constexpr uint64_t ratioFor(uint64_t nodes) {
    constexpr uint64_t sizes[] = {1024, 4096, 9216}, ratios[] = {kRatio1K * 1000, kRatio4K * 1000, kRatio9K * 1000};
    if (nodes <= sizes[0])
      return ratios[0];
    for (unsigned i = 1; i < 3; ++i)
      if (nodes <= sizes[i])
        return ratios[i - 1] - (ratios[i - 1] - ratios[i]) * (nodes - sizes[i - 1]) / (sizes[i] - sizes[i - 1]);
    return ratios[2];
  }

  /// The cycles of a block. The sum of twelve uniform numbers stands for a normal distribution. It is computed with
  /// integers, so that the result is the same everywhere.
  uint64_t cycles(uint64_t block) const {
    Generator generator(Generator(seed).next() ^ (block + 1) * 0xd1342543de82ef95);
    int64_t sum = 0;
    for (int i = 0; i < 12; ++i)
      sum += int64_t(generator.next() >> 32);
    __int128 own = instructions ? __int128(mean) * instructions[block] / meanInstructions : __int128(mean);
    __int128 deviation = __int128(sum - (int64_t(6) << 32)) * own * spread / 1000;
    __int128 result = own + deviation / (int64_t(1) << 32);
    return result < 1 ? 1 : uint64_t(result);
  }
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_DATS_DATSTIMING_H
