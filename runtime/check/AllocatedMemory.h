// The memory of this process that is no part of the program's file: heap, stacks, libraries. Memory that nobody may
// read, such as a guard, does not count.
//
// Thread-safety: one thread. No memory is allocated.
#ifndef CILK2GPU_RUNTIME_CHECK_ALLOCATEDMEMORY_H
#define CILK2GPU_RUNTIME_CHECK_ALLOCATEDMEMORY_H

#include "check/ProgramVariables.h"

namespace cilk2gpu::rt {

class AllocatedMemory {
public:
  /// Reads the list of the system. Neighbours count as one range.
  explicit AllocatedMemory(const ProgramVariables &program);

  bool contains(uint64_t address) const {
    if (!numRanges || address < ranges[0].start)
      return false;
    for (uint32_t i = 0; i < numRanges; ++i)
      if (address - ranges[i].start < ranges[i].end - ranges[i].start)
        return true;
    return false;
  }

private:
  struct Range {
    uint64_t start, end;
  };
  static constexpr uint32_t kMostRanges = 512;

  void add(const ProgramVariables &program, uint64_t start, uint64_t end);

  Range ranges[kMostRanges]; ///< in the order of addresses
  uint32_t numRanges = 0;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CHECK_ALLOCATEDMEMORY_H
