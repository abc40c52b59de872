// Tests that kernels that run few tasks at a time get no vectors, unless they are asked for. These are kernels that
// start an accumulation, and kernels of functions whose callers are few and wait for them.
// RUN: cilk2gpu -O2 -Rpass=cilk -Rpass-missed=cilk -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not="'sum:"
// RUN: llvm-nm %t.o | FileCheck %s --check-prefix=SYMBOLS --implicit-check-not=sum.k0.simd --implicit-check-not=once.k0.simd
// RUN: cilk2gpu -O2 -fcilk-lanes=simd -Rpass=cilk -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=SIMD
#include <cilk/cilk.h>

// SYMBOLS-DAG: sum.acc.k0.simd
// SYMBOLS-DAG: often.k0.simd
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

// An ordinary function waits for each call, also for those in a loop.
// CHECK-DAG: remark: kernel 'waited.k0' runs lane by lane: there are few such tasks at a time [-Rpass-missed=cilk]
static void waited(long *p, long n) {
  cilk_spawn set(p, n * n);
  cilk_spawn set(p + 1, n + 1);
}
void use(long *p, long n) {
  for (long i = 0; i < n; ++i)
    waited(p, i);
}

// Of the function two calls deep, there are up to six tasks.
// CHECK-DAG: remark: kernel 'first.k0' runs lane by lane: there are few such tasks at a time [-Rpass-missed=cilk]
// CHECK-DAG: remark: kernel 'second.k0' runs lane by lane: there are few such tasks at a time [-Rpass-missed=cilk]
// CHECK-DAG: remark: kernel 'third.k0' runs 32 lanes at once{{.*}} [-Rpass=cilk]
static void third(long *p, long n) {
  cilk_spawn set(p, n * n);
  cilk_spawn set(p + 1, n + 1);
}
static void second(long *p, long n) {
  cilk_spawn third(p, n);
  third(p + 2, n);
}
static void first(long *p, long n) {
  cilk_spawn second(p, n);
  cilk_spawn second(p + 4, n);
  second(p + 4, n);
}

// Each iteration calls this function.
// CHECK-DAG: remark: kernel 'iterated.k0' runs 32 lanes at once{{.*}} [-Rpass=cilk]
static void iterated(long *p, long n) {
  cilk_spawn set(p, n * n);
  cilk_spawn set(p + 1, n + 1);
}

// A block is spawned in a loop.
// CHECK-DAG: remark: kernel 'blocks.k0' runs 32 lanes at once{{.*}} [-Rpass=cilk]
static void blocks(long *p, long n) {
  cilk_spawn set(p, n * n);
  cilk_spawn set(p + 1, n + 1);
}

// Pointers may lead to this function from many tasks.
// CHECK-DAG: remark: kernel 'pointed.k0' runs 32 lanes at once{{.*}} [-Rpass=cilk]
static void pointed(long *p, long n) {
  cilk_spawn set(p, n * n);
  cilk_spawn set(p + 1, n + 1);
}
void (*volatile pointer)(long *, long) = pointed;

// Other files may spawn this function, which this file does not call.
// CHECK-DAG: remark: kernel 'offered.k0' runs 32 lanes at once{{.*}} [-Rpass=cilk]
void offered(long *p, long n) {
  cilk_spawn set(p, n * n);
  cilk_spawn set(p + 1, n + 1);
}

int main(int argc, char **argv) {
  static long a[2000];
  once(a, argc);
  for (int i = 0; i < argc; ++i)
    cilk_spawn often(a + 2 * i, i);
  cilk_sync;
  use(a + 4, argc);
  first(a, argc);
  cilk_for (int i = 0; i < argc; ++i)
    iterated(a + 2 * i, i);
  for (int i = 0; i < argc; ++i)
    cilk_spawn { blocks(a + 2 * i, i); }
  cilk_sync;
  return sum(a[0] + a[1] + a[4]) > 1000;
}
