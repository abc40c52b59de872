// Tests that an executable contains its images, whichever linker made it, so that the runtime looks for a driver.
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 %s -o %t
// RUN: not env CILK2GPU_DEVICE=cuda CILK2GPU_CUDA_LIBRARY=/none/libcuda.so %t 2>&1 | FileCheck %s
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 -fuse-ld=lld %s -o %t.lld
// RUN: not env CILK2GPU_DEVICE=cuda CILK2GPU_CUDA_LIBRARY=/none/libcuda.so %t.lld 2>&1 | FileCheck %s
// CHECK: /none/libcuda.so cannot be loaded
#include <cilk/cilk.h>

static int twice(int n) { return 2 * n; }

int main(void) {
  int x = cilk_spawn twice(3);
  cilk_sync;
  return x != 6;
}
