// The memory that the process can have.
//
// Thread-safety: any thread may call this function.
#ifndef CILK2GPU_RUNTIME_PROCESS_MACHINEMEMORY_H
#define CILK2GPU_RUNTIME_PROCESS_MACHINEMEMORY_H

#include <stdint.h>

namespace cilk2gpu::rt {

/// Returns the most bytes that this process can have: the least of the machine's memory and the limits of its control
/// groups. These limits are memory.max, or memory.limit_in_bytes of version 1, of the process's own group and the
/// groups above it. Returns all ones if no limit can be read. `root` is put in front of /proc and /sys, for tests.
uint64_t machineMemory(const char *root = "");

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_MACHINEMEMORY_H
