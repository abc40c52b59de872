// Tests that vectors do not fuse multiplications and additions if the elision does not, because its target cannot. This
// also holds if the program allows fusion.
// DEFINE: %{flags} =
// DEFINE: %{run} = %cilk2gpu -O2 %{flags} -fserial-elision %s -o %t.elision && %t.elision > %t.txt && %cilk2gpu -O2 %{flags} %s -o %t && %t | diff - %t.txt
// REDEFINE: %{flags} = -ffp-contract=fast
// RUN: %{run}
// REDEFINE: %{flags} = -ffp-contract=fast -DPRAGMA=OFF
// RUN: %{run}
// REDEFINE: %{flags} = -ffp-contract=off -DPRAGMA=ON
// RUN: %{run}
// REDEFINE: %{flags} = -ffp-contract=fast-honor-pragmas
// RUN: %{run}
// REDEFINE: %{flags} = -ffp-contract=fast -march=native
// RUN: %{run}
// RUN: %cilk2gpu -O2 -ffp-contract=fast -Rpass=cilk -c %s -o /dev/null 2>&1 | FileCheck %s
// CHECK: remark: kernel 'f.k0' runs {{[0-9]+}} lanes at once
#include <cilk/cilk.h>
#include <stdio.h>

#define TEXT(text) _Pragma(#text)
#define CONTRACT(how) TEXT(STDC FP_CONTRACT how)
#ifdef PRAGMA
CONTRACT(PRAGMA)
#endif

[[cilk2gpu::lanes("simd")]] static void f(int n, int i, double *out) {
  if (!n) {
    double x = .37 + i * .0131;
    for (int k = 0; k < 5; ++k)
      x = x * x - 1.1 * x;
    out[i] = x;
    return;
  }
  cilk_spawn f(n - 1, 2 * i, out);
  cilk_spawn f(n - 1, 2 * i + 1, out);
  cilk_sync;
}

int main(void) {
  static double out[64];
  f(6, 0, out);
  for (int i = 0; i < 64; ++i)
    printf("%a\n", out[i]);
}
