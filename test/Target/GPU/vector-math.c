// Tests mathematics on vectors, and on numbers with fewer digits than a float. If a GPU has no exact instruction,
// elements are computed one by one, and short numbers as floats, as on the host. The same holds for conversions of
// 128-bit integers. No approximate instruction is used. Vectors of 'long double' are refused.
// DEFINE: %{arch} = sm_90
// DEFINE: %{emit} = ptx
// DEFINE: %{run} = %cilk2gpu -O2 --offload-arch=%{arch} --emit=llvm %s | FileCheck %s && \
// DEFINE:   %cilk2gpu -O2 --offload-arch=%{arch} --emit=%{emit} %s -o %t.out && \
// DEFINE:   not grep -E '(sin|cos|tanh|ex2|lg2)\.approx|v_(sin|cos|exp|log)_|v_sqrt_f16' %t.out
// RUN: %{run}
// REDEFINE: %{arch} = gfx90a
// REDEFINE: %{emit} = isa
// RUN: %{run}
// REDEFINE: %{arch} = gfx1100
// RUN: %{run}
// CHECK-NOT: frem
// CHECK-NOT: @llvm.{{sin|cos|exp|exp2|log|pow|atan2|tanh|canonicalize}}.{{v|f16|bf16}}
// The host makes the same calls as for the elision.
// (Not every host's library has the functions for __bf16.)
// RUN: %cilk2gpu -O2 -DLINK --offload-arch=sm_90 -Rpass-analysis=cilk %s -lm -o %t 2>&1 | FileCheck %s --check-prefix=HOST
// HOST-NOT: 'fmod{{f?}}' on the host
// HOST-DAG: 'sinf' on the host
// HOST-DAG: 'exp' on the host
// HOST-DAG: 'powf' on the host
// RUN: not %cilk2gpu -O2 --offload-arch=gfx90a --emit=isa -DLONG %s 2>&1 | FileCheck %s --check-prefix=LONG
#include <cilk/cilk.h>

typedef float Floats __attribute__((ext_vector_type(4)));
typedef double Doubles __attribute__((ext_vector_type(2)));
typedef _Float16 Halves __attribute__((ext_vector_type(2)));
typedef __int128 Wides __attribute__((ext_vector_type(2)));
typedef long double Longs __attribute__((ext_vector_type(2)));

Floats floats[8];
Doubles doubles[8];
Halves halves[8];
Wides wides[8];
_Float16 half[8];
__bf16 bfloat[8];
Longs longs[8];

void task(int n) {
  if (n == 0) {
    floats[0] = __builtin_elementwise_fmod(floats[1], floats[2]);
    floats[3] = __builtin_elementwise_sin(floats[4]);
    floats[5] = __builtin_elementwise_atan2(floats[6], floats[7]);
    doubles[0] = __builtin_elementwise_exp(doubles[1]);
    doubles[2] = __builtin_elementwise_log(doubles[3]);
    doubles[4] = __builtin_convertvector(wides[0], Doubles);
    wides[1] = __builtin_convertvector(doubles[5], Wides);
    halves[0] = __builtin_elementwise_pow(halves[1], halves[2]);
    halves[3] = __builtin_elementwise_sqrt(halves[4]);
    half[0] = __builtin_elementwise_fmod(half[1], half[2]);
    half[3] = __builtin_elementwise_tanh(half[4]);
#ifndef LINK
    bfloat[0] = __builtin_elementwise_exp2(bfloat[1]);
    bfloat[2] = __builtin_elementwise_canonicalize(bfloat[3]);
    wides[2].x = (__int128)bfloat[4];
#endif
#ifdef LONG
    // LONG: vector-math.c:[[#@LINE+1]]:{{[0-9]+}}: error: a task on a GPU computes with 'long double'
    longs[0] = longs[1] * longs[2];
#endif
    return;
  }
  cilk_spawn task(n - 1);
  cilk_spawn task(n - 1);
}

int main(void) { return 0; }
