// The memory that the process can have.
//
// Thread-safety: any thread may call this.
#ifndef CILK2GPU_RUNTIME_PROCESS_MACHINEMEMORY_H
#define CILK2GPU_RUNTIME_PROCESS_MACHINEMEMORY_H

#include <stdint.h>

namespace cilk2gpu::rt {

/// Returns the most bytes that this process can have: the least of the machine's memory and of the limits of its
/// control group and the groups above that (memory.max, or memory.limit_in_bytes of version 1). Returns all ones if
/// nothing can be read. `root` stands before /proc and /sys, for tests.
uint64_t machineMemory(const char *root = "");

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_MACHINEMEMORY_H
