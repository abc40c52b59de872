// Reports of races on standard error, and the program's exit status.
#ifndef CILK2GPU_RUNTIME_RACES_REPORTS_H
#define CILK2GPU_RUNTIME_RACES_REPORTS_H

#include "Options.h"
#include "Shadow.h"
#include "cilk2gpu/abi/RaceHooks.h"

namespace cilk2gpu::races {

class Reports {
public:
  constexpr Reports(const TaskBags &strands, const Options &options) : strands(strands), options(options) {}
  void open();

  /// Returns the number of an access in the program.
  uint32_t numberOf(Cilk2gpuAccess *access) { return access->number ? access->number : addAccess(access); }
  /// Reports a race, if the two lines have had no report.
  void report(uintptr_t at, const Entry &earlier, const Entry &now);
  /// Notes a region that is not checked.
  void noteUnchecked(const Cilk2gpuAccess *access);
  /// Writes the summary. Returns the exit status that the program gets, or -1 for its own.
  int finish();

private:
  uint32_t addAccess(Cilk2gpuAccess *access);
  bool isNew(uint32_t one, uint32_t other);
  bool isSuppressed(const Cilk2gpuAccess &one, const Cilk2gpuAccess &other) const;
  void writeAccess(const char *when, const Entry &entry);
  void writeStack(TaskId task);

  /// The two lines of a report.
  struct Pair {
    const Cilk2gpuAccess *first, *second;
  };

  const TaskBags &strands;
  const Options &options;
  ReservedArray<const Cilk2gpuAccess *> accesses;
  ReservedArray<Pair> pairs;
  ReservedArray<const Cilk2gpuAccess *> unchecked;
  uint64_t *seen = nullptr; ///< hash table of pairs of accesses that have been looked at
  size_t numSeen = 0;
  size_t numReports = 0, numSuppressed = 0;
};

} // namespace cilk2gpu::races

#endif // CILK2GPU_RUNTIME_RACES_REPORTS_H
