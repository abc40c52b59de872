// Tests that the scalar kernel of a task calls the elision for a base case with loops, and that vector kernels do not.
// RUN: cilk2gpu -O2 -fcilk-lanes=simd -fcilk-vector-isa=avx512 -S -emit-llvm %s -o %t.ll
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=SCALAR
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=VECTOR
// CHECK-NOT: @power.loops

// SCALAR: define internal void @power.acc.k0(
// SCALAR: call {{.*}}i64 @power.serial(
// SCALAR: {{^}}}

// VECTOR: define internal void @power.acc.k0.simd.avx512(
// VECTOR-NOT: @power.serial(
// VECTOR: {{^}}}
long power(long n, long x) {
  if (n < 3) {
    long product = 1;
    for (long i = 0; i < n * 2; ++i)
      product = product * x + i;
    return product;
  }
  long a = cilk_spawn power(n - 1, x * 3);
  long b = cilk_spawn power(n - 2, x + 5);
  cilk_sync;
  return a + b;
}
