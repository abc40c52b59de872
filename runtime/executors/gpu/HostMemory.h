// Makes the process's memory visible to a device that reaches registered memory only: registers, while a graph runs,
// what tasks may have pointers to (data segments, heap, stacks, mappings), and what is only read: where the driver can
// do that without writing to it all of it, else the constants of objects that bring images.
//
// Registrations last for one run: memory that is unmapped and mapped again between runs would else be seen as it was.
// What cannot be registered is left out; a kernel that touches it faults, and lastFailure() helps to say why.
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

  /// Registers everything but the `numOwn` ranges `own`, sorted by address, which the device sees already. False if
  /// that cannot be right.
  bool show(const Driver &driver, const HostRange *own, uint64_t numOwn, Reason &why);
  /// Takes it all back.
  bool hide(const Driver &driver, Reason &why);

  /// Mappings that were not registered in the last run though data may be there, and why the first of them: of
  /// those that the driver did not take, if there are any.
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
