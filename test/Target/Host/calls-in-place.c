// Tests that the scalar form of a kernel makes plain calls in place, and that its vector form and code for GPUs do not.
// RUN: %cilk2gpu -O2 -march=x86-64-v3 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a --emit=isa %s | FileCheck %s --check-prefix=GPU --implicit-check-not=in_place
// RUN: %cilk2gpu -O0 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=PLAIN --implicit-check-not=in_place
#include <cilk/cilk.h>

long fib(long n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1), y = fib(n - 2);
  cilk_sync;
  return x + y;
}

// CHECK-LABEL: define internal void @loop.acc.k1(
// CHECK: call i32 @__cilk2gpu_call_in_place()
// CHECK: call {{.*}}@fib.serial(
// CHECK-LABEL: define internal void @loop.acc.k1.simd.{{avx[0-9]+}}(
// CHECK-NOT: @__cilk2gpu_call_in_place()
// CHECK: declare i32 @__cilk2gpu_call_in_place()
// GPU: s_endpgm
// PLAIN: define internal void @loop.k1(
long loop(long n) {
  long x = cilk_spawn fib(n), sum = 0;
  for (long k = 0; k < n; ++k)
    sum += fib(k & 7);
  cilk_sync;
  return x + sum;
}
