// Stores that are narrower than their register store its low bits. NVIDIA's assembler would convert a register that has
// a floating-point number to an integer, so the low bits are computed as an integer first.
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 --emit=ptx %s -o - | FileCheck %s
#include <cilk/cilk.h>
#include <string.h>

struct __attribute__((packed)) Parts {
  char kind;
  float number;
  double wide;
};

void set(struct Parts *parts, float x, double y, int n) {
  parts->number = x * 3;
  parts->wide = y * 5;
  unsigned bits;
  float sum = x + y;
  memcpy(&bits, &sum, sizeof bits);
  parts->kind = bits; // the low byte
  if (n > 0) {
    cilk_spawn set(parts + 1, x, y, n - 1);
    cilk_sync;
  }
}

int main(void) {
  struct Parts parts[10];
  cilk_spawn set(parts, 1, 2, 9);
  cilk_sync;
  return parts[3].kind;
}

// CHECK: mul.rn.f32 [[FLOAT:%r[0-9]+]],
// CHECK: {
// CHECK-NEXT: .reg .b32 %low0;
// CHECK-NEXT: and.b32 %low0, [[FLOAT]], 255;
// CHECK-NEXT: st{{.*}}.b8 [%rd{{.*}}], %low0;
// CHECK-NEXT: }
