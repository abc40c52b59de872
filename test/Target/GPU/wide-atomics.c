// Tests atomic objects of 128 bits in functions that spawn. MLIR has no updates of that size, so the compiler keeps
// them out of MLIR. GPUs refuse these updates.
// RUN: %cilk2gpu -O2 -mcx16 %s -latomic -o %t && %t
// RUN: %cilk2gpu -O0 %s -latomic -o %t && %t
// RUN: %cilk2gpu -O2 --offload-arch=gpu-host %s -latomic -o %t && env CILK2GPU_DEVICE=gpu-host %t
// RUN: not %cilk2gpu -O2 --offload-arch=sm_90 --emit=ptx %s 2>&1 | FileCheck %s
// RUN: not %cilk2gpu -O2 --offload-arch=gfx90a --emit=isa %s 2>&1 | FileCheck %s
#include <cilk/cilk.h>

_Atomic __int128 total, bits;

int task(int n) {
  if (n < 2) {
    // CHECK-DAG: wide-atomics.c:[[#@LINE+1]]:{{[0-9]+}}: error: a task on a GPU reads or changes an atomic object of more than 64 bits, which GPUs do not have; use a smaller one, or results of tasks
    total += (__int128)n << 64;
    // CHECK-DAG: wide-atomics.c:[[#@LINE+1]]:{{[0-9]+}}: error: a task on a GPU reads or changes an atomic object
    bits |= (__int128)1 << (70 + n);
    return (int)(bits >> 120);
  }
  int x = cilk_spawn task(n - 1);
  int y = task(n - 2);
  cilk_sync;
  return x + y;
}

int main(void) { return task(10) || total != (__int128)55 << 64 || bits != (__int128)3 << 70; }
