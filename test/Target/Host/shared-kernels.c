// Tests that kernels with the same code are compiled once, also kernels in vectors whose helpers have other names. With
// -g or remarks, each kernel has code of its own, under its own name.
// RUN: %cilk2gpu -O2 -march=x86-64-v4 -S -emit-llvm %s -o - | FileCheck %s --implicit-check-not='@second.acc.k0.simd'
// RUN: %cilk2gpu -O2 -march=x86-64-v4 -g -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OWN
// RUN: %cilk2gpu -O2 -march=x86-64-v4 -Rpass=cilk -S -emit-llvm %s -o - 2>&1 | FileCheck %s --check-prefixes=OWN,REMARKS
// RUN: %cilk2gpu -O2 -march=x86-64-v4 -DMAIN %s -o %t && %t
#include <cilk/cilk.h>
static long smallOfFirst(long n) { return n * 3; }
static long smallOfSecond(long n) { return n * 3; }
long first(long n) {
  if (n < 2)
    return smallOfFirst(n);
  long x = cilk_spawn first(n - 1);
  long y = first(n - 2);
  cilk_sync;
  return x + y;
}
long second(long n) {
  if (n < 2)
    return smallOfSecond(n);
  long x = cilk_spawn second(n - 1);
  long y = second(n - 2);
  cilk_sync;
  return x + y;
}
#ifdef MAIN
int main() { return !(first(20) == 3 * 6765 && second(19) == 3 * 4181); }
#endif
// REMARKS-DAG: kernel 'first.acc.k0' runs
// REMARKS-DAG: kernel 'second.acc.k0' runs
// CHECK: define {{.*}}@first.acc.k0.simd.avx512(
// OWN-DAG: define {{.*}}@first.acc.k0.simd.avx512(
// OWN-DAG: define {{.*}}@second.acc.k0.simd.avx512(
