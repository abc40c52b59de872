// Tests functions that kernels call and that are not inlined. If a function can run in vectors, it gets a vector clone. If not,
// it is called for one lane after the other, and a remark says why.
// RUN: %cilk2gpu -O2 -Rpass=cilk -Rpass-missed=cilk -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %cilk2gpu -O2 -g -march=x86-64-v3 -fcilk-vector-isa=avx2 -S %s -o - | FileCheck %s --check-prefix=ASM
// RUN: %cilk2gpu -O2 -fcilk-lanes=scalar -S %s -o - | FileCheck %s --check-prefix=SCALAR
// ASM-DAG: scramble.clone.avx2.16v{{[uv]}}:
// ASM-DAG: weigh.clone.avx2.16{{[uv]+}}:
// ASM-DAG: step.clone.avx2.16v:
// SCALAR-NOT: .clone.
#include <cilk/cilk.h>
#include <math.h>
#include <stdatomic.h>

typedef struct {
  unsigned x, y, z, w, v;
} Five;

__attribute__((noinline)) static unsigned step(unsigned value) { return (value ^ value >> 15) * 0x2c1b3c6du; }

__attribute__((noinline)) static unsigned scramble(unsigned value, int rounds) {
  for (int i = 0; i < rounds; ++i)
    value = step(value) + i;
  return value;
}

__attribute__((noinline)) static double weigh(Five five, double by) {
  five.x += five.y * five.z;
  return sqrt(five.x * by) + five.w / (five.v * by + 1);
}

__attribute__((noinline)) static unsigned deep(unsigned n) { return n < 2 ? n : deep(n - 1) + 3 * deep(n - 2); }

__attribute__((noinline, cilk2gpu_lanes("scalar"))) static unsigned apart(unsigned n) { return step(n) * 3; }

__attribute__((noinline)) static long double wide(long double x) { return x * 3; }

atomic_uint seen;
__attribute__((noinline)) static void note(unsigned n) {
  if (n % 3 == 0)
    atomic_fetch_add_explicit(&seen, n, memory_order_relaxed);
}

__attribute__((noinline)) static unsigned ticket(void) { return atomic_fetch_add_explicit(&seen, 1, memory_order_relaxed); }

// CHECK-DAG: kernel 'sum.acc.k0' calls 'scramble' for all lanes at once
// CHECK-DAG: kernel 'sum.acc.k0' calls 'weigh' for all lanes at once
// CHECK-DAG: kernel 'sum.acc.k0' calls 'note' for all lanes at once
// CHECK-DAG: kernel 'sum.acc.k0' calls 'deep' for one lane after the other: it is recursive
// CHECK-DAG: kernel 'sum.acc.k0' calls 'apart' for one lane after the other: its attribute says so
// CHECK-DAG: kernel 'sum.acc.k0' runs {{[0-9]+}} lanes at once
[[cilk2gpu::lanes("simd")]] unsigned sum(int depth, unsigned value) {
  if (depth == 0) {
    Five five = {value, value + 1, value + 2, 4, 5};
    note(value);
    return scramble(value, 16) + (unsigned)weigh(five, value) + deep(value % 8) + apart(value);
  }
  unsigned a = cilk_spawn sum(depth - 1, value * 3);
  unsigned b = sum(depth - 1, value * 5 + 1);
  cilk_sync;
  return a + b;
}

// A function that only counts by its argument may be half of a lock.
// CHECK-DAG: kernel 'count.acc.k0' runs lane by lane: it calls 'ticket', which may wait for other tasks
[[cilk2gpu::lanes("simd")]] unsigned count(int depth) {
  if (depth == 0)
    return ticket() != 7;
  unsigned a = cilk_spawn count(depth - 1);
  unsigned b = count(depth - 1);
  cilk_sync;
  return a + b;
}

// CHECK-DAG: kernel 'widened.acc.k0' runs lane by lane: it computes with a type that has no vector form
[[cilk2gpu::lanes("simd")]] unsigned widened(int depth) {
  if (depth == 0)
    return wide(depth) > 2;
  unsigned a = cilk_spawn widened(depth - 1);
  unsigned b = widened(depth - 1);
  cilk_sync;
  return a + b;
}
