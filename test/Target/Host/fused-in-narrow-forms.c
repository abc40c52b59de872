// Tests that a form for a set without fused multiply-adds fuses them all the same where the function's own target does. Otherwise
// lanes would round twice, and the elision once.
// RUN: cilk2gpu -O2 -march=haswell -fcilk-vector-isa=sse --emit=llvm %s -o - | FileCheck %s
// CHECK-LABEL: define internal void @scale.k0.simd.sse(
// CHECK-NOT: llvm.fmuladd
// CHECK: call <16 x double> @llvm.fma.v16f64(
// CHECK-NOT: llvm.fmuladd
// CHECK: {{^[}]}}
#include <cilk/cilk.h>

static void step(double *v, double a) {
  for (int k = 0; k < 4; ++k)
    *v = a * *v + k;
}

void scale(double *v, double a, int n) {
  if (n == 1)
    return step(v, a);
  cilk_spawn scale(v, a, n / 2);
  scale(v + n / 2, a * 0.5 + 1, n - n / 2);
}
