// The process's mappings, as the kernel lists them in /proc/self/maps.
//
// Thread-safety: none; the caller owns the text.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_MEMORYMAP_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_MEMORYMAP_H

#include "executors/gpu/Driver.h"

#include <string.h>

namespace cilk2gpu::device {

/// A line of the list.
struct Mapping {
  uint64_t start, end;
  bool readable, writable, executable;
  const char *path; ///< up to the line's end; empty if there is none
  uint64_t pathLength;

  bool startsWith(const char *prefix) const {
    uint64_t length = strlen(prefix);
    return pathLength >= length && !strncmp(path, prefix, length);
  }
};

/// Reads the list into `text`, which has `capacity` bytes. Returns false and sets `why` if it cannot be read.
bool readMappings(char *text, uint64_t capacity, Reason &why);

/// Reads one line of the list, and advances `at` to the next line. Returns false at the end of the list.
bool parseMapping(const char *&at, Mapping &mapping);

/// Returns whether a path, which has `length` bytes, is that of a library of a driver. A task has no pointers into such
/// a library, and registering it takes up to milliseconds.
bool isOfDriver(const char *path, uint64_t length);

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_EXECUTORS_GPU_MEMORYMAP_H
