// Decides which image runs on which GPU. Pure functions of the names that compilers and drivers use.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_SUITABILITY_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_SUITABILITY_H

#pragma GCC visibility push(default)
#include "cilk2gpu/abi/Image.h"
#pragma GCC visibility pop

namespace cilk2gpu::device {

/// Returns how well code of `kind` compiled for `image` suits the device named `device`. 0: the code does not run
/// there. A larger number is better.
///
///   PTX for sm_N                    runs on every compute capability from N on
///   PTX for sm_Na                   runs on N only
///   PTX for sm_Nf                   runs on N and later capabilities with N's major version
///   a code object for a processor   runs on that processor, whatever the device's settings (xnack, sramecc)
///   a generic code object           runs on the processors of its family
uint32_t suitability(abi::ImageKind kind, const char *image, const char *device);

enum class Support {
  Unknown, ///< no AMD or NVIDIA GPU that the compiler knows
  TooOld,  ///< the GPU lacks independent thread scheduling, or exchange between lanes, which kernels need
  Yes
};

/// Returns whether the compiler makes images for `arch`: a name of --offload-arch, or of a driver, without settings.
Support supportOf(const char *arch);

/// An architecture to compile for.
struct Advice {
  char arch[64];
};
/// Returns the architecture to compile for so that the program runs on `device`: the device's own architecture, or
/// NVIDIA's newest architecture that runs there. Empty: there is none.
Advice adviceFor(abi::ImageKind kind, const char *device);

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_EXECUTORS_GPU_SUITABILITY_H
