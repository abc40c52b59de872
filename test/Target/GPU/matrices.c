// Tests that operations on matrices become operations on their elements, rounded as on the host.
// RUN: %cilk2gpu -O2 -fenable-matrix --offload-arch=sm_90 --emit=llvm %s | FileCheck %s
// RUN: %cilk2gpu -O2 -fenable-matrix --offload-arch=gfx90a --emit=hsaco %s -o %t.co
// RUN: %cilk2gpu -O2 -fenable-matrix --offload-arch=gfx90a,sm_90 %s -o %t && %t
// CHECK-NOT: @llvm.{{matrix|fma}}
// CHECK: fmul
// CHECK-NOT: @llvm.{{matrix|fma}}
#include <cilk/cilk.h>
typedef double Matrix __attribute__((matrix_type(4, 4)));

double results[8];

static void product(int i) {
  Matrix a, b;
  for (int k = 0; k < 4; k++)
    for (int j = 0; j < 4; j++) {
      a[k][j] = k + j + i;
      b[k][j] = k * j;
    }
  Matrix c = a * b + __builtin_matrix_transpose(a);
  results[i] = c[1][2];
}

int main(void) {
  cilk_for (int i = 0; i < 8; i++)
    product(i);
  return results[3] != 82;
}
