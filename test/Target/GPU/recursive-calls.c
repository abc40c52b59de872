// Functions that call themselves or one another do so through pointers on NVIDIA's GPUs. Otherwise the assembler emits
// no code that brings threads together again, and may nevertheless keep a loop's counter once for a warp.
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 --emit=ptx %s -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: FileCheck %s --input-file=%t.ptx --check-prefix=DIRECT
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a --emit=isa %s -o - | FileCheck %s --check-prefix=AMD
#include <cilk/cilk.h>

static long odd(long n, long *to);

// CHECK-DAG: .global .align 8 .u64 [[SUM:__cilk2gpu_callee_[a-z0-9_]*sum]] =
// CHECK-DAG: .global .align 8 .u64 [[ODD:__cilk2gpu_callee_[a-z0-9_]*odd]] =
// CHECK-LABEL: .func {{.*}}sum(
// CHECK: ld.global.b64 [[CALLEE:%rd[0-9]+]], {{.}}[[SUM]]];
// CHECK: call {{.*}}[[CALLEE]],
static __attribute__((noinline)) long sum(const long *from, long n) {
  long result = 0;
  for (long i = 0; i < n; ++i)
    result = result * 3 + from[i];
  return n > 5 ? result + sum(from, n / 2) + sum(from + n / 2, n / 3) : result;
}

// CHECK-LABEL: .func {{.*}}even(
// CHECK: ld.global.b64 [[OTHER:%rd[0-9]+]], {{.}}[[ODD]]];
// CHECK: call {{.*}}[[OTHER]],
static __attribute__((noinline)) long even(long n, long *to) {
  to[n] += 1;
  return n > 1 ? odd(n - 1, to) + to[1] : n;
}
static __attribute__((noinline)) long odd(long n, long *to) {
  to[n] += 2;
  return n > 1 ? even(n - 1, to) * to[0] : n;
}

// A function that does not recurse is called directly, also from a recursive one.
// DIRECT: call.uni {{.*}}plain,
static __attribute__((noinline)) long plain(long n) { return n * 7 % 5; }

// AMD-NOT: __cilk2gpu_callee
void task(long *to, long n) {
  to[n] = sum(to, n) + even(n, to) + plain(n);
  if (n > 1) {
    cilk_spawn task(to, n - 1);
    cilk_sync;
  }
}
