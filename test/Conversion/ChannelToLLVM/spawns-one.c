// Tests that descriptors say of each kernel whether its lanes spawn at most one task (the second number). On different paths, or
// in another segment, there may be more.
// RUN: cilk2gpu -O2 -fcilk-lanes=scalar --emit=llvm %s -o - | FileCheck %s

#include <cilk/cilk.h>

// CHECK: @__cilk2gpu_task_one.kernels = {{.*}} { ptr @__cilk2gpu_task_one.kernel0, ptr @one.k0, ptr @one.k0.resume, ptr null, i32 0, i16 1, i16 0,
// CHECK-SAME: ptr @one.k1, {{.*}}, i32 0, i16 1, i16 0,
int one(int n, int m) {
  int x, y;
  if (n == 0)
    return m;
  if (n & 1)
    x = cilk_spawn one(n - 1, m);
  else
    x = cilk_spawn one(n - 2, m + 1);
  cilk_sync;
  y = cilk_spawn one(m, x);
  cilk_sync;
  return y;
}

// CHECK: @__cilk2gpu_task_two.kernels = {{.*}} { ptr @__cilk2gpu_task_two.kernel0, ptr @two.k0, ptr @two.k0.resume, ptr null, i32 0, i16 0, i16 0,
double two(int n) {
  if (n < 2)
    return n;
  double a = cilk_spawn two(n - 1), b = cilk_spawn two(n - 2);
  cilk_sync;
  return a * b;
}

// CHECK: @__cilk2gpu_task_loop.kernels = {{.*}} { ptr @__cilk2gpu_task_loop.kernel0, ptr @loop.k0, ptr @loop.k0.resume, ptr null, i32 0, i16 0, i16 0,
void loop(int n, int *sums) {
  for (int i = 0; i < n; ++i)
    cilk_spawn loop(i, sums + n);
  cilk_sync;
  sums[n] = 1;
}
