// Makes the process's memory visible to a device that reaches registered memory only. While a graph runs, it registers
//
//   - memory that tasks may have pointers to: data segments, heap, stacks, mappings;
//   - memory that is only read, if the driver can register it without writing to it; else the constants of objects that
//     bring images.
//
// Registrations last for one run. If they lasted longer, the device would see memory as it was before it was unmapped
// and mapped again. Memory that cannot be registered is left out. A kernel that touches it faults; firstFailure() helps
// to say why.
//
// Thread-safety: none; the thread that runs the graph.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_HOSTMEMORY_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_HOSTMEMORY_H

#include "executors/gpu/Driver.h"

namespace cilk2gpu::device {

class HostMemory {
public:
  HostMemory() = default;
  HostMemory(const HostMemory &) = delete;

  /// Registers everything but the `numOwn` ranges `own`, sorted by address, which the device sees already. Returns
  /// false if tasks cannot use the memory: `why` says the reason.
  bool show(const Driver &driver, const HostRange *own, uint64_t numOwn, Reason &why);
  /// Takes all registrations back. Returns false if one cannot be.
  bool hide(const Driver &driver, Reason &why);

  /// Returns how many mappings with data were not registered in the last run, and the reason for the first of them. A
  /// mapping that the driver refused comes before mappings that were not tried.
  uint64_t numFailures() const { return failures; }
  const Reason &firstFailure() const { return failure; }

private:
  struct Mapping;
  class OwnBlocks;

  static bool parseLine(const char *&at, Mapping &mapping);
  static bool isDeviceFile(const Mapping &mapping);
  bool wanted(const Driver &driver, const Mapping &mapping);
  void leaveOut(const HostRange &range, const char *reason, bool wasTried);
  bool showMapping(const Driver &driver, const Mapping &mapping, OwnBlocks &own, Reason &why);
  bool showMappings(const Driver &driver, bool writable, OwnBlocks own, Reason &why);
  bool reserve(Reason &why);
  bool readMaps(Reason &why);
  void findConstants();
  bool isConstants(const char *path, uint64_t length) const;
  bool add(const Driver &driver, HostRange range, Reason &why);

  char *text = nullptr;       ///< /proc/self/maps
  HostRange *shown = nullptr; ///< registered
  uint64_t numShown = 0;
  const char *objects[8]; ///< paths in `text` of files that bring images
  uint32_t numObjects = 0;
  uint64_t total = 0;   ///< bytes
  uint64_t visible = 0; ///< ranges
  bool moved = false;   ///< the device sees some range elsewhere
  bool failed = false;  ///< some range could not be registered
  uint64_t failures = 0;
  Reason failure;
};

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_EXECUTORS_GPU_HOSTMEMORY_H
