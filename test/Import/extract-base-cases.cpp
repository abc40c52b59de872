// Tests that a part of a task becomes a function of its own if it allocates and computes in loops, but spawns nothing. Other
// parts do not.
// RUN: cilk2gpu++ -O1 -fno-cilk-exceptions --emit=channel %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=OTHERS
// RUN: cilk2gpu++ -O0 -fno-cilk-exceptions --emit=channel %s -o - | FileCheck %s --check-prefix=NONE

// OTHERS-NOT: {{(loops|single|before).*[.]base}}
// NONE-NOT: .base

// CHECK: llvm.func internal @_Z8productsPKliPl.k0(
// CHECK: llvm.call @_Z8productsPKliPl.base(
// CHECK: llvm.func internal @_Z8productsPKliPl.base({{.*}}no_inline
// CHECK: llvm.call @_Znam
// CHECK: llvm.return
void products(const long *in, int n, long *out) {
  if (n < 8) {
    long *sums = new long[unsigned(n)];
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < n; ++k)
        sums[i] += in[k] * in[i];
    for (int i = 0; i < n; ++i)
      out[i] = sums[i];
    delete[] sums;
    return;
  }
  cilk_spawn products(in, n / 2, out);
  products(in + n / 2, n - n / 2, out + n / 2);
  cilk_sync;
}

// Allocates nothing.
void loops(const long *in, int n, long *out) {
  if (n < 8) {
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < n; ++k)
        out[i] += in[k] * in[i];
    return;
  }
  cilk_spawn loops(in, n / 2, out);
  loops(in + n / 2, n - n / 2, out + n / 2);
  cilk_sync;
}

// Has no loop.
long *single(int n) {
  if (n < 8) {
    long *result = new long[8];
    result[n] = n;
    return result;
  }
  long *a = cilk_spawn single(n / 2);
  long *b = single(n - n / 2);
  cilk_sync;
  a[0] += b[0];
  delete[] b;
  return a;
}

// Spawns after it.
void before(int n, long *out) {
  if (n > 3) {
    long *numbers = new long[unsigned(n)];
    for (int i = 0; i < n; ++i)
      numbers[i] = n - i;
    out[0] += numbers[1];
    delete[] numbers;
  }
  cilk_spawn before(n / 2, out);
  cilk_sync;
}
