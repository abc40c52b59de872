// Makes the process's memory visible to a device that reaches registered memory only. While a graph runs, it registers
//
//   - memory that tasks may have pointers to: data segments, heap, stacks, mappings;
//   - read-only memory, if the driver can register it; else the constants of objects that contain images.
//
// Registrations last for one run. If they lasted longer, the device would see old contents of memory that was unmapped
// and mapped again. Memory that cannot be registered is left out. If a kernel touches such memory, it faults, and the
// message contains firstFailure().
//
// Thread-safety: none; only the thread that runs the graph uses it.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_HOSTMEMORY_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_HOSTMEMORY_H

#include "executors/gpu/DriverMappings.h"

namespace cilk2gpu::device {

class HostMemory {
public:
  HostMemory() = default;
  HostMemory(const HostMemory &) = delete;

  /// Must be called before the driver is loaded, and after the device was opened: what the driver has taken in between
  /// will not be registered.
  void beginOpening();
  void endOpening();

  /// Registers the process's memory, except the `numOwn` ranges `own`, which the device can reach already. `own` is
  /// sorted by address. If tasks cannot use the memory, returns false and sets `why` to the reason.
  bool show(const Driver &driver, const HostRange *own, uint64_t numOwn, Reason &why);
  /// Undoes all registrations. Returns false if a call of the driver fails.
  bool hide(const Driver &driver, Reason &why);

  /// Returns the number of mappings with data that were not registered in the last run; firstFailure() returns the
  /// reason for the first of them. Mappings that the driver refused come before mappings that were not tried.
  uint64_t numFailures() const { return failures; }
  const Reason &firstFailure() const { return failure; }

private:
  class OwnBlocks;

  static bool isDeviceFile(const Mapping &mapping);
  bool wanted(const Driver &driver, const Mapping &mapping);
  void leaveOut(const HostRange &range, const char *reason, bool wasTried);
  bool showMapping(const Driver &driver, const Mapping &mapping, OwnBlocks &own, Reason &why);
  bool showMappings(const Driver &driver, bool writable, OwnBlocks own, Reason &why);
  bool reserve(Reason &why);
  void findConstants();
  bool isConstants(const char *path, uint64_t length) const;
  bool add(const Driver &driver, HostRange range, Reason &why);

  DriverMappings drivers;
  bool canNote = false;       ///< the mappings before the opening are known
  char *text = nullptr;       ///< text of /proc/self/maps
  HostRange *shown = nullptr; ///< registered ranges
  uint64_t numShown = 0;
  const char *objects[8]; ///< paths, in `text`, of files that contain images
  uint32_t numObjects = 0;
  uint64_t total = 0;   ///< bytes
  uint64_t visible = 0; ///< ranges
  bool moved = false;   ///< some range has another address on the device
  bool failed = false;  ///< some range could not be registered
  uint64_t failures = 0;
  Reason failure;
};

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_EXECUTORS_GPU_HOSTMEMORY_H
