// The memory that a driver takes for itself while the device is opened: stacks of its threads, tables, buffers. Tasks
// have no pointers into it. It is not registered, because that takes longer than many a run (12 ms on an H200).
//
// Nothing is noted if another thread of the program runs meanwhile, because the program might take memory, too. A
// mapping counts only as long as its bounds stay the same and the driver's threads live: the stack of a thread that
// has ended may become the stack of the program's next thread.
//
// Thread-safety: none; only the thread that runs the graph uses it.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_DRIVERMAPPINGS_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_DRIVERMAPPINGS_H

#include "executors/gpu/MemoryMap.h"

#include <sys/types.h>

namespace cilk2gpu::device {

class DriverMappings {
public:
  /// Must be called before the driver is loaded.
  void beginOpening();
  /// Notes what has been mapped since. `before` and `after` are lists of mappings (MemoryMap.h) of these two times.
  void endOpening(const char *before, const char *after);

  /// Looks whether the driver's threads still live. Must be called before has().
  void update();
  /// Returns whether a mapping is one of the driver's.
  bool has(const Mapping &mapping) const;

private:
  static constexpr uint32_t kMostRanges = 256, kMostThreads = 64;
  struct Range {
    uint64_t start, end;
  };
  static uint32_t listThreads(pid_t *threads);

  Range ranges[kMostRanges];
  uint32_t numRanges = 0, numThreads = 0;
  pid_t threads[kMostThreads];
  bool isAlone = false; ///< no other thread of the program ran when the opening began
};

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_EXECUTORS_GPU_DRIVERMAPPINGS_H
