// The host's heap for tasks on a device, and storage of variable size for tasks (Locals.cpp: __cilk2gpu_local and
// _release of cilk2gpu/abi/Records.h). Lanes on a GPU request memory from the host (System.cpp). Lanes on a CPU
// (gpu-host) allocate memory themselves.
//
// Thread-safety: any lanes may call at once.
#ifndef CILK2GPU_RUNTIME_DEVICE_HOSTHEAP_H
#define CILK2GPU_RUNTIME_DEVICE_HOSTHEAP_H

#include <stdint.h>

namespace cilk2gpu::device {

/// Allocates `bytes` bytes, aligned to `align` (a power of two). Ends the process if no memory is left.
void *allocateOrEnd(uint64_t bytes, uint64_t align);

} // namespace cilk2gpu::device

extern "C" void free(void *memory);

#endif // CILK2GPU_RUNTIME_DEVICE_HOSTHEAP_H
