// How much memory there is. Thread-safety: any thread may call this.
#ifndef CILK2GPU_RUNTIME_PROCESS_MACHINEMEMORY_H
#define CILK2GPU_RUNTIME_PROCESS_MACHINEMEMORY_H

#include <stdint.h>

namespace cilk2gpu::rt {

/// Bytes that this process can have at most: the machine's memory, or what its control group, or one above it, allows
/// (memory.max, and memory.limit_in_bytes of version 1). All ones if nothing can be read. `root` stands before /proc
/// and /sys, for tests.
uint64_t machineMemory(const char *root = "");

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_MACHINEMEMORY_H
