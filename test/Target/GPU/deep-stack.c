// Tests that images are marked if ordinary functions in them recurse. Images are not marked for functions that are only called
// several times, nor for the persistent kernel, which calls the lanes' functions through pointers.
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a --emit=llvm -DDEPTH=n %s | FileCheck %s --check-prefix=DEEP
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 --emit=llvm -DDEPTH=n %s | FileCheck %s --check-prefix=DEEP
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a --emit=llvm -foffload-persistent %s | FileCheck %s --check-prefix=SHALLOW
// DEEP: @__cilk2gpu_deep_stack = protected addrspace(1) constant i32 1
// SHALLOW-NOT: @__cilk2gpu_deep_stack
// SHALLOW: define {{.*}}@{{.*}}descend
#include <cilk/cilk.h>

#ifdef DEPTH
__attribute__((noinline)) static int descend(int n, const int *above) {
  int here[] = {n, *above};
  return n <= 0 ? *above : descend(n - 1, here) + descend(n - 2, here + 1);
}
#else
__attribute__((noinline)) static int descend(int n, const int *above) { return n * *above; }
#endif

int tree(int n) {
  if (n < 2)
    return descend(n, &n) + descend(3 * n, &n);
  int a = cilk_spawn tree(n - 1);
  int b = tree(n - 2);
  cilk_sync;
  return a + b;
}
