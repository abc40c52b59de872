// Tests that kernels that run few tasks at a time get no vectors, unless they are asked for. These are kernels that
// start an accumulation, and kernels of functions that only main calls, once.
// RUN: cilk2gpu -O2 -Rpass=cilk -Rpass-missed=cilk -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not="'sum:"
// RUN: llvm-nm %t.o | FileCheck %s --check-prefix=SYMBOLS --implicit-check-not=sum.k0.simd --implicit-check-not=once.k0.simd
// RUN: cilk2gpu -O2 -fcilk-lanes=simd -Rpass=cilk -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=SIMD
#include <cilk/cilk.h>

// SYMBOLS-DAG: sum.acc.k0.simd
// SYMBOLS-DAG: twice.k0.simd
// CHECK-DAG: remark: kernel 'sum.k0' runs lane by lane: there are few such tasks at a time [-Rpass-missed=cilk]
// CHECK-DAG: remark: kernel 'sum.k1' runs lane by lane: there are few such tasks at a time [-Rpass-missed=cilk]
// CHECK-DAG: remark: kernel 'sum.acc.k0' runs 32 lanes at once{{.*}} [-Rpass=cilk]
// SIMD-DAG: remark: kernel 'sum.k0' runs 32 lanes at once{{.*}} [-Rpass=cilk]
long sum(long n) {
  if (n < 2)
    return n;
  long x = cilk_spawn sum(n - 1);
  long y = cilk_spawn sum(n - 2);
  cilk_sync;
  return x + y;
}

static void set(long *p, long n) { *p = n; }

// CHECK-DAG: remark: kernel 'once.k0' runs lane by lane: there are few such tasks at a time [-Rpass-missed=cilk]
// SIMD-DAG: remark: kernel 'once.k0' runs 32 lanes at once{{.*}} [-Rpass=cilk]
static void once(long *p, long n) {
  cilk_spawn set(p, n * n);
  cilk_spawn set(p + 1, n + 1);
}

// Many calls are possible in a loop.
// CHECK-DAG: remark: kernel 'often.k0' runs 32 lanes at once{{.*}} [-Rpass=cilk]
static void often(long *p, long n) {
  cilk_spawn set(p, n * n);
  cilk_spawn set(p + 1, n + 1);
}

// Other files may call this function many times.
// CHECK-DAG: remark: kernel 'twice.k0' runs 32 lanes at once{{.*}} [-Rpass=cilk]
static void twice(long *p, long n) {
  cilk_spawn set(p, n * n);
  cilk_spawn set(p + 1, n + 1);
}
void use(long *p, long n) { twice(p, n); }

int main(int argc, char **argv) {
  long a[8] = {0};
  once(a, argc);
  for (int i = 0; i < argc; ++i)
    cilk_spawn often(a + 2 * i, i);
  cilk_sync;
  twice(a + 4, argc);
  return sum(a[0] + a[1] + a[4]) > 1000;
}
