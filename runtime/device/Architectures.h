// Which image runs on which GPU. Pure functions over the names that compilers and drivers use.
#ifndef CILK2GPU_RUNTIME_DEVICE_ARCHITECTURES_H
#define CILK2GPU_RUNTIME_DEVICE_ARCHITECTURES_H

#pragma GCC visibility push(default)
#include "abi/Image.h"
#pragma GCC visibility pop

namespace cilk2gpu::device {

/// How well code of `kind` compiled for `image` suits a device that calls itself `device`: 0 if it does not run there,
/// else the larger the better.
///
/// PTX for sm_N runs on every compute capability from N on; with an `a` at the end on N only, with an `f` on those
/// of N's major version. A code object runs on its own processor, whatever the device's settings
/// (xnack, sramecc), or, if it is generic, on those of its family.
uint32_t suitability(abi::ImageKind kind, const char *image, const char *device);

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_DEVICE_ARCHITECTURES_H
