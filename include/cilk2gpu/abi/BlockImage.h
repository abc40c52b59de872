// Symbols of images for GPUs that run thread blocks (<cilk2gpu/Wireframe.h>).
#ifndef CILK2GPU_ABI_BLOCKIMAGE_H
#define CILK2GPU_ABI_BLOCKIMAGE_H

#include <stdint.h>

namespace cilk2gpu::abi {

/// The kernel. Its entry takes one parameter, a pointer to a device::BlockJob in memory of the device. It serves any
/// one-dimensional grid. Its blocks have as many threads as the blocks of the job.
inline constexpr char kBlocksKernel[] = "__cilk2gpu_blocks_kernel";

/// Bytes of a workgroup's memory that WF_SHARED variables and the kernel itself may take together, and the kernel's
/// part.
inline constexpr uint64_t kMostSharedBytes = 48 << 10, kOwnSharedBytes = 64;

} // namespace cilk2gpu::abi

#endif // CILK2GPU_ABI_BLOCKIMAGE_H
