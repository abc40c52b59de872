// Defines CILK2GPU_ON_GPU if the code is compiled for a GPU. The macros of Clang are not enough, because -x hip defines
// them when it compiles for the host, too.
#ifndef CILK2GPU_RUNTIME_DEVICE_ONGPU_H
#define CILK2GPU_RUNTIME_DEVICE_ONGPU_H

#if (defined(__AMDGCN__) || defined(__NVPTX__)) && (!defined(__HIP__) || defined(__HIP_DEVICE_COMPILE__))
#define CILK2GPU_ON_GPU
#endif

#endif // CILK2GPU_RUNTIME_DEVICE_ONGPU_H
