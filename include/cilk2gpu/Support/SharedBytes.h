// The error for kernels of thread blocks whose blocks share too much memory (WF_SHARED).
#ifndef CILK2GPU_SUPPORT_SHAREDBYTES_H
#define CILK2GPU_SUPPORT_SHAREDBYTES_H

#include "cilk2gpu/abi/BlockImage.h"

#include <string>

namespace cilk2gpu {

/// Most bytes of the WF_SHARED variables of a block, on every device.
inline constexpr uint64_t kMostSharedVariables = abi::kMostSharedBytes - abi::kOwnSharedBytes;

/// Returns the text for a kernel whose blocks share `bytes` bytes. `kernel` is its name as programs write it.
inline std::string sharedBytesMessage(const std::string &kernel, uint64_t bytes) {
  return "the threads of a block share " + std::to_string(bytes) + " bytes in '" + kernel + "', and a block has " +
         std::to_string(kMostSharedVariables) + " bytes for its WF_SHARED variables; let a block share less";
}

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_SHAREDBYTES_H
