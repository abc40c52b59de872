// The host's heap, as tasks on a device have it, and storage of variable size for tasks out of it (Locals.cpp:
// __cilk2gpu_local and _release of cilk2gpu/abi/Records.h). A device's lanes ask the host for it (System.cpp); lanes
// that are played on a CPU have it themselves.
//
// Thread-safety: any lanes at once.
#ifndef CILK2GPU_RUNTIME_DEVICE_HOSTHEAP_H
#define CILK2GPU_RUNTIME_DEVICE_HOSTHEAP_H

#include <stdint.h>

namespace cilk2gpu::device {

/// Of `bytes` bytes, aligned to `align` (a power of two). Where there is no memory left, the process ends.
void *allocateOrEnd(uint64_t bytes, uint64_t align);

} // namespace cilk2gpu::device

extern "C" void free(void *memory);

#endif // CILK2GPU_RUNTIME_DEVICE_HOSTHEAP_H
