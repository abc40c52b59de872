// Tests the message of a program that is started on a device but was not compiled for devices.
// RUN: %cilk2gpu -O1 %s -o %t && %t
// RUN: not env CILK2GPU_DEVICE=gpu-host %t 2>&1 | FileCheck %s
// CHECK: cilk2gpu: error: the kernels of 'task' were compiled for no device, which CILK2GPU_DEVICE=gpu-host plays; compile its source with --offload-arch=gpu-host
// RUN: %cilk2gpu -O1 --offload-arch=gpu-host %s -o %t && env CILK2GPU_DEVICE=gpu-host %t
#include <cilk/cilk.h>
int task(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn task(n - 1);
  cilk_sync;
  return x;
}
int main(void) { return task(3) != 1; }
