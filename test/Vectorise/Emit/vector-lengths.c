// Tests that elements with fields of every width are taken from channels and appended to them in vectors of every length.
// DEFINE: %{length} =
// DEFINE: %{run} = %cilk2gpu -O2 -fcilk-lanes=simd -fcilk-vector-isa=avx512,avx2,sse,neon -fcilk-vector-length=%{length} %s -o %t && %t | FileCheck %s && env CILK2GPU_WAVE=5 CILK2GPU_WIDTH=7 %t | FileCheck %s
// REDEFINE: %{length} = 4
// RUN: %{run}
// REDEFINE: %{length} = 8
// RUN: %{run}
// REDEFINE: %{length} = 16
// RUN: %{run}
// REDEFINE: %{length} = 32
// RUN: %{run}
// REDEFINE: %{length} = 64
// RUN: %{run}
#include <cilk/cilk.h>
#include <stdio.h>

static unsigned walk(unsigned char n, int odd, unsigned short a, float b, double c, unsigned char d) {
  if (n == 0)
    return a + (unsigned)b + (unsigned)c + d + odd;
  unsigned x = cilk_spawn walk(n - 1, !odd, a * 3, b + 1, c + 2, d ^ n), y = cilk_spawn walk(n - 1, odd, a + 1, b, c, d + a);
  cilk_sync;
  return x * 3 + y;
}

int main(void) {
  // CHECK: 3911354448
  printf("%u\n", walk(9, 1, 5, 2, 3, 4));
}
