// The process's device images, in the order of their registration.
//
// Thread-safety: any thread may register images and call these functions. A registered image stays registered.
#ifndef CILK2GPU_RUNTIME_PROCESS_IMAGES_H
#define CILK2GPU_RUNTIME_PROCESS_IMAGES_H

// The runtime is compiled with hidden visibility; what compiled programs call is not hidden.
#pragma GCC visibility push(default)
#include "cilk2gpu/abi/Image.h"
#pragma GCC visibility pop
#include "process/NameList.h"

namespace cilk2gpu::rt {

/// Returns the architectures for which the compiler found that their GPUs cannot run the program's tasks.
const NameList &refusedArchitectures();

/// Returns the number of images so far. A record without code does not count.
uint64_t imageCount();

/// Returns image number `index`.
const abi::ImageRecord &image(uint64_t index);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_IMAGES_H
