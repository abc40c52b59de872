// The process's device images, in the order of their registration.
//
// Thread-safety: any thread may register and ask. A record is never forgotten.
#ifndef CILK2GPU_RUNTIME_PROCESS_IMAGES_H
#define CILK2GPU_RUNTIME_PROCESS_IMAGES_H

// The runtime is compiled with hidden visibility; what compiled programs call is not hidden.
#pragma GCC visibility push(default)
#include "cilk2gpu/abi/Image.h"
#pragma GCC visibility pop
#include "process/NameList.h"

namespace cilk2gpu::rt {

/// Returns the architectures whose GPUs cannot run the program's tasks, as the compiler found.
const NameList &refusedArchitectures();

/// Returns the number of images so far. A record without code is no image.
uint64_t imageCount();

/// Returns image number `index`.
const abi::ImageRecord &image(uint64_t index);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_IMAGES_H
