// Reports of races on standard error or in a file, and the program's exit status.
#ifndef CILK2GPU_RUNTIME_RACES_REPORTS_H
#define CILK2GPU_RUNTIME_RACES_REPORTS_H

#include "CountTable.h"
#include "MemoryObjects.h"
#include "Options.h"
#include "Shadow.h"
#include "cilk2gpu/abi/RaceHooks.h"

#include <unistd.h>

namespace cilk2gpu::races {

class Reports {
public:
  constexpr Reports(const TaskBags &strands, const Options &options, MemoryObjects &objects)
      : strands(strands), options(options), objects(objects) {}
  void open();

  /// Returns the number of an access in the program.
  uint32_t numberOf(Cilk2gpuAccess *access) { return access->number ? access->number : addAccess(access); }
  /// Reports a race, if the two lines have had no report for the variable or block at `at`.
  void report(uintptr_t at, const Entry &earlier, const Entry &now);
  /// Notes a region that is not checked.
  void noteUnchecked(const Cilk2gpuAccess *access);
  /// Returns false in a copy of the process that has had no report: in a child, which may share the memory (vfork).
  bool isOfThisProcess() const { return process == getpid(); }
  /// Writes the summary. Returns the exit status of the program, which ends with `status` by itself.
  int finish(int status);

private:
  __attribute__((format(printf, 2, 3))) void write(const char *format, ...);
  void openLog();
  void followFork();
  uint32_t addAccess(Cilk2gpuAccess *access);
  bool isSuppressed(uint32_t one, uint32_t other);
  void writeAccess(const char *when, const Entry &entry);
  void writeStack(TaskId task);

  const TaskBags &strands;
  const Options &options;
  MemoryObjects &objects;
  ReservedArray<const Cilk2gpuAccess *> accesses;
  ReservedArray<uint32_t> lines; ///< for each access: number of its line
  ReservedArray<const Cilk2gpuAccess *> unchecked;
  CountTable lineNumbers; ///< of each hash of a file's name, with a line
  CountTable known;       ///< what is known of pairs of accesses and of pairs of lines: see report()
  size_t numReports = 0, numSuppressed = 0;
  int process = 0; ///< the process whose reports are counted
  int log = -1;    ///< the file for reports; -1: not open yet
};

/// Ends the process.
[[noreturn]] void endProcess(int status);

} // namespace cilk2gpu::races

#endif // CILK2GPU_RUNTIME_RACES_REPORTS_H
