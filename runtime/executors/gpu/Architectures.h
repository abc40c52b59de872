// Which image runs on which GPU. Pure functions over the names that compilers and drivers use.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_ARCHITECTURES_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_ARCHITECTURES_H

#pragma GCC visibility push(default)
#include "cilk2gpu/abi/Image.h"
#pragma GCC visibility pop

namespace cilk2gpu::device {

/// How well code of `kind` compiled for `image` suits a device that calls itself `device`: 0 if it does not run there,
/// else the larger the better.
///
/// PTX for sm_N runs on every compute capability from N on; with an `a` at the end on N only, with an `f` on those
/// of N's major version. A code object runs on its own processor, whatever the device's settings
/// (xnack, sramecc), or, if it is generic, on those of its family.
uint32_t suitability(abi::ImageKind kind, const char *image, const char *device);

enum class Support {
  Unknown, ///< no GPU of AMD's or NVIDIA's that the compiler knows
  TooOld,  ///< kernels need what this GPU does not have: independent thread scheduling, or exchange between lanes
  Yes
};

/// Whether the compiler makes images for `arch`, a name as --offload-arch and drivers have it (without settings).
Support supportOf(const char *arch);

/// What to compile for so that the program runs on `device`: its own name, or of NVIDIA's the newest one that runs
/// there. Empty: nothing does.
struct Advice {
  char arch[64];
};
Advice adviceFor(abi::ImageKind kind, const char *device);

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_EXECUTORS_GPU_ARCHITECTURES_H
