// Tests a Cilk function whose address is taken. An image's table of functions contains its entry, but no function that
// was made of it: neither the host's forms of its kernels nor its vector forms.
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a --emit=llvm %s | FileCheck %s --implicit-check-not='.simd'
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 --emit=llvm %s | FileCheck %s --implicit-check-not='.simd'
// CHECK: @__cilk2gpu_function_table = {{.*}} [1 x {{.*}}ptr @__cilk2gpu_{{[0-9a-f]+}}_tree
// CHECK-NOT: define {{.*}}_tree.k0.resume(
#include <cilk/cilk.h>

static long tree(long n) {
  if (n < 2)
    return n;
  long x = cilk_spawn tree(n - 1);
  long y = tree(n - 2);
  cilk_sync;
  return x + y;
}

long (*pointer)(long) = tree;

long twice(long n) {
  if (n < 1)
    return pointer(5);
  long x = cilk_spawn twice(n - 1);
  long y = pointer(n);
  cilk_sync;
  return x + y + pointer(7);
}

int main(void) { return twice(9) == 0; }
