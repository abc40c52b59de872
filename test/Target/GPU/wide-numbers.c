// Tests conversions between 128-bit integers and floating-point numbers in tasks. NVIDIA's back end has none, so calls of the
// device runtime replace them. Conversions that it lacks are errors.
// RUN: %cilk2gpu -O2 --offload-arch=sm_70 --emit=ptx %s | FileCheck %s
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a --emit=hsaco %s -o %t.co && llvm-readelf -h %t.co | FileCheck %s --check-prefix=ELF
// RUN: %cilk2gpu -O2 --offload-arch=gpu-host %s -o %t && env CILK2GPU_DEVICE=gpu-host %t
// RUN: not %cilk2gpu -O2 --offload-arch=sm_90 --emit=ptx -DWIDER %s 2>&1 | FileCheck %s --check-prefix=WIDER
// CHECK: .version
// CHECK-NOT: .extern
// ELF: Machine: EM_AMDGPU
#include <cilk/cilk.h>

double reals[64], realSums[64];
float floats[64], floatSums[64];
_Float16 halves[64], halfSums[64];

__attribute__((noinline)) long convert(int n) {
  __int128 wide = (__int128)reals[n] * n;
  unsigned __int128 positive = (unsigned __int128)floats[n] + (unsigned __int128)reals[n];
  _BitInt(100) narrower = (_BitInt(100))reals[n];
  realSums[n] = (double)wide + (double)positive;
  floatSums[n] = (float)wide + (float)positive + (float)narrower;
  halfSums[n] = (_Float16)wide;
  wide += (__int128)halves[n] + (__int128)floats[n];
#ifdef WIDER
  // WIDER: wide-numbers.c:[[#@LINE+1]]:{{[0-9]+}}: error: a task on a GPU converts between a floating-point number and an integer of more than 64 bits, which NVIDIA's GPUs cannot do; use an integer of at most 128 bits with a double or a float
  reals[n] = (double)((_BitInt(200))wide * n);
#endif
  return (long)(wide >> 64);
}

int task(int n) {
  if (n < 2)
    return (int)convert(n);
  int x = cilk_spawn task(n - 1);
  int y = task(n - 2);
  cilk_sync;
  return x + y;
}

int main(void) {
  reals[1] = 0x1p70;
  return task(2) != 64 || realSums[1] != 0x1p71 || floatSums[1] != 0x1p71f + 0x1p70f;
}
