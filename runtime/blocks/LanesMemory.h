// What launches of a kernel have learned about vectors of blocks.
//
// Thread-safety: one launch at a time.
#ifndef CILK2GPU_RUNTIME_BLOCKS_LANESMEMORY_H
#define CILK2GPU_RUNTIME_BLOCKS_LANESMEMORY_H

#include "blocks/BlockRunner.h"
#include "core/Tunables.h"

#include <algorithm>

namespace cilk2gpu::rt {

/// What is known of a kernel.
struct LanesEntry {
  const void *kernel = nullptr;
  uint64_t single = 0; ///< nanoseconds of a single block, if vectors have paid
  uint64_t failed = 0; ///< the same, if they have not
  uint32_t uses = 0;   ///< launches since then
};

/// Remembers for some kernels that vectors of blocks have paid. A launch of few blocks has no time to measure single
/// blocks first.
class LanesMemory {
public:
  explicit LanesMemory(const BlockRun &run)
      : kernel(run.launch.kernel), entry(entries[reinterpret_cast<uintptr_t>(kernel) / 16 % kEntries]) {}

  /// A launch begins. Returns the nanoseconds of a single block if it begins with vectors; 0: it measures single
  /// blocks.
  uint64_t begin() {
    if (!kernel || entry.kernel != kernel)
      return 0;
    return ++entry.uses <= tunables::kRememberedLaunches ? entry.single : 0;
  }
  /// Returns the nanoseconds of a single block below which vectors are not tried: `least`, or more if they have not
  /// paid.
  uint64_t shortest(uint64_t least) const {
    bool hasFailed = kernel && entry.kernel == kernel && entry.uses <= tunables::kRememberedLaunches;
    return std::max(least, hasFailed ? 2 * entry.failed : 0);
  }
  /// Vectors have paid, or else the launch was over before that was known.
  void remember(uint64_t single) {
    if (kernel)
      entry = {.kernel = kernel, .single = single};
  }
  /// Vectors have not paid.
  void noteFailure(uint64_t single) {
    if (kernel)
      entry = {.kernel = kernel, .failed = single};
  }
  void forget() { entry = {}; }

private:
  static constexpr uint32_t kEntries = 64;
  static inline LanesEntry entries[kEntries]; ///< one launch at a time uses them

  const void *const kernel;
  LanesEntry &entry;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_LANESMEMORY_H
