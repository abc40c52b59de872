// Tests functions of <math.h> in kernels. Exact functions are instructions on vectors. sin and the like run lane by lane, but
// allow vectors; with -ffast-math they come from the vector library that -fveclib= names, or from glibc.
// DEFINE: %{flags} = --target=x86_64-unknown-linux-gnu -O2 -fcilk-lanes=simd -fcilk-vector-isa=avx2,sse
// DEFINE: %{compile} = cilk2gpu %{flags} --emit=asm %s
// DEFINE: %{kernel} = sed -n '/^%{name}:/,/^.Lfunc_end/p' %t.s
// DEFINE: %{name} =

// RUN: %{compile} -Rpass=cilk -Rpass-missed=cilk -o %t.s 2>&1 | FileCheck %s --check-prefix=REMARKS
// REMARKS-DAG: remark: kernel 'exact.k0' runs 16 lanes at once with AVX2, 16 with SSE [-Rpass=cilk]
// REMARKS-DAG: remark: kernel 'waves.k0' runs 16 lanes at once with AVX2, 16 with SSE [-Rpass=cilk]
// REMARKS-DAG: remark: kernel 'error.k0' runs lane by lane: it looks at errno, which lanes that run together share [-Rpass-missed=cilk]

// The root of a negative number sets errno, so it stays a call of the function.
// REDEFINE: %{name} = exact.k0.simd.avx2
// RUN: %{kernel} | FileCheck %s --check-prefix=EXACT --implicit-check-not='call{{.*}}{{floor|ceil|trunc|rint|fm|fabs|copysign}}'
// EXACT-LABEL: exact.k0.simd.avx2:
// EXACT-DAG: vsqrtpd {{.*}}ymm
// EXACT-DAG: vroundpd $9, {{.*}}ymm
// EXACT-DAG: vroundpd $10, {{.*}}ymm
// EXACT-DAG: vroundpd $11, {{.*}}ymm
// EXACT-DAG: vroundpd $4, {{.*}}ymm
// EXACT-DAG: vminpd {{.*}}ymm
// EXACT-DAG: vf{{n?}}madd{{[0-9]+}}pd {{.*}}ymm
// EXACT-DAG: callq sqrt@PLT

// REDEFINE: %{name} = waves.k0.simd.avx2
// RUN: %{kernel} | FileCheck %s --check-prefix=LANES --implicit-check-not=_ZGV
// LANES: callq sin@PLT
// LANES-NOT: callq sin@PLT
// RUN: %{compile} -ffast-math -o %t.s && %{kernel} | FileCheck %s --check-prefix=AVX2 --implicit-check-not=sin@PLT
// AVX2-COUNT-4: callq _ZGVdN4v_sin@PLT
// REDEFINE: %{name} = waves.k0.simd.sse
// RUN: %{kernel} | FileCheck %s --check-prefix=SSE --implicit-check-not=sin@PLT
// SSE-COUNT-8: callq _ZGVbN2v_sin@PLT
// RUN: %{compile} -ffast-math -fveclib=none -o %t.s && %{kernel} | FileCheck %s --check-prefix=LANES --implicit-check-not=_ZGV
#include <cilk/cilk.h>

double sqrt(double), sin(double), floor(double), ceil(double), trunc(double), rint(double), fma(double, double, double),
    fmin(double, double), fabs(double), copysign(double, double);
int *__errno_location(void) __attribute__((nothrow, const));

void exact(double *to, double x, int n) {
  to[0] = sqrt(x), to[1] = floor(x), to[2] = ceil(x), to[3] = trunc(x), to[4] = rint(x), to[5] = fma(x, x, 0.1);
  to[6] = fmin(x, 0.5), to[7] = fabs(x), to[8] = copysign(x, 3 - x);
  if (n == 0)
    return;
  cilk_spawn exact(to + 9, x + 1, n - 1);
  cilk_spawn exact(to + 900, x + 2, n - 1);
}

void waves(double *to, double x, int n) {
  to[0] = sin(x);
  if (n == 0)
    return;
  cilk_spawn waves(to + 1, x + 1, n - 1);
  cilk_spawn waves(to + 90, x + 2, n - 1);
}

void error(int *to, double x, int n) {
  *__errno_location() = 0;
  volatile double root = sqrt(x);
  (void)root;
  *to = *__errno_location();
  if (n == 0)
    return;
  cilk_spawn error(to + 1, x - 1, n - 1);
  cilk_spawn error(to + 90, x - 2, n - 1);
}
