// Sums of the elements of all batches: by kernel, and by level. `wavefronts[w - 1]` is the number of wavefronts with up
// to w lanes.
#ifndef CILK2GPU_RUNTIME_SCALE_LEVELTABLE_H
#define CILK2GPU_RUNTIME_SCALE_LEVELTABLE_H

#include "scale/Recorder.h"

namespace cilk2gpu::rt::scale {

constexpr uint32_t kWaves = 64;

/// Elements of one kernel, or of one kernel at one level, or of a level.
struct Elements {
  uint32_t kernel, level;
  bool isPostSync;
  uint64_t elements, dispatches; ///< dispatches: rounds of batches in which there are elements
  uint64_t widest;               ///< most elements at one time
  uint64_t wavefronts[kWaves];

  void add(uint64_t count);
};

class LevelTable {
public:
  explicit LevelTable(const Recorder &recorder);

  Growing<Elements> kernels, rows; ///< rows: of a kernel at a level
  Elements whole;
  uint32_t levels = 0;
};

} // namespace cilk2gpu::rt::scale

#endif // CILK2GPU_RUNTIME_SCALE_LEVELTABLE_H
