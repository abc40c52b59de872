// Tests functions of <math.h> that Clang turns into instructions that GPUs lack, or do not compute exactly. They become the
// device runtime's functions, exact instructions, or calls on the host.
// DEFINE: %{arch} = sm_90
// DEFINE: %{emit} = ptx
// DEFINE: %{run} = %cilk2gpu -O2 -fno-math-errno --offload-arch=%{arch} --emit=llvm %s | FileCheck %s && \
// DEFINE:   %cilk2gpu -O2 -fno-math-errno --offload-arch=%{arch} --emit=%{emit} %s -o %t.out && \
// DEFINE:   %cilk2gpu -O2 --offload-arch=%{arch} --emit=%{emit} %s -o %t.out
// RUN: %{run}
// REDEFINE: %{arch} = gfx90a
// REDEFINE: %{emit} = isa
// RUN: %{run}
// CHECK-NOT: frem
// CHECK-NOT: @llvm.{{modf|sincos|powi|lround|llround|lrint|llrint}}
// The host makes these calls; fmod, modf, lround and lrint need no host.
// RUN: %cilk2gpu -O2 -fno-math-errno --offload-arch=sm_90 -Rpass-analysis=cilk %s -lm -o %t 2>&1 | FileCheck %s --check-prefix=HOST
// HOST-NOT: '{{fmodf?|modf|l?lround|l?lrint}}' on the host
// HOST-DAG: 'sin' on the host
// HOST-DAG: 'cos' on the host
// HOST-DAG: '__powidf2' on the host
// HOST-NOT: '{{fmodf?|modf|l?lround|l?lrint}}' on the host
// RUN: %t
#define _GNU_SOURCE
#include <cilk/cilk.h>
#include <math.h>

double task(int n, double x, float y) {
  if (n == 0) {
    double whole, sine, cosine, result = fmod(x, 3.1) + (double)fmodf(y, 0.7f) + modf(x, &whole);
    sincos(x, &sine, &cosine);
    return result + whole + sine + cosine + __builtin_powi(x, (int)y) + (double)(lround(x) + llroundf(y) + lrintf(y) + llrint(x));
  }
  double a = cilk_spawn task(n - 1, x, y);
  double b = task(n - 1, -x, y);
  cilk_sync;
  return a + b;
}

int main(void) { return !(task(2, 0.5, 3) < 1e9); }
