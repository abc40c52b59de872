// Tests programs whose elements have destinations of 32 bits, from the code to the result. The cases differ in: runs in
// a process, widths, workers, orders, sizes of results, an array of results, and other destinations of the same task.
// RUN: cilk2gpu -O2 %s --emit=channel -o - | FileCheck %s --check-prefix=CHANNEL
// RUN: cilk2gpu -O2 %s --emit=llvm -o - | FileCheck %s --check-prefix=LLVM
// RUN: cilk2gpu -O2 --offload-arch=gpu-host %s --emit=channel -o - | FileCheck %s --check-prefix=DEVICE
// RUN: %cilk2gpu -O2 %s -o %t && env CILK2GPU_ELIDE=never %t | FileCheck %s
// RUN: env CILK2GPU_ELIDE=always %t | FileCheck %s
// RUN: env CILK2GPU_ELIDE=never CILK2GPU_WIDTH=1 %t | FileCheck %s && env CILK2GPU_ELIDE=never CILK2GPU_WIDTH=3 CILK2GPU_WORKERS=2 %t | FileCheck %s
// RUN: env CILK2GPU_ELIDE=never CILK2GPU_WIDTH=64 CILK2GPU_WORKERS=2 CILK2GPU_SCHEDULE=random CILK2GPU_SEED=7 %t | FileCheck %s
// RUN: env CILK2GPU_ELIDE=never CILK2GPU_WIDTH=64 CILK2GPU_SCHEDULE=adversarial CILK2GPU_KERNELS=scalar %t | FileCheck %s
// RUN: env CILK2GPU_DEVICE=model CILK2GPU_WIDTH=3 %t | FileCheck %s
// RUN: %cilk2gpu -O2 -fcilk-lanes=simd %s -o %t && env CILK2GPU_ELIDE=never %t | FileCheck %s && env CILK2GPU_ELIDE=never CILK2GPU_WIDTH=3 %t | FileCheck %s
// RUN: %cilk2gpu -O2 -fcilk-lanes=simd -fcilk-vector-isa=avx2,sse %s -o %t && env CILK2GPU_ELIDE=never %t | FileCheck %s
// RUN: %cilk2gpu -O0 %s -o %t && %t | FileCheck %s
// With few addresses, the range is smaller.
// RUN: bash -c "ulimit -v 1000000; exec %t" | FileCheck %s
// CHECK: 377 377.0 377 16 144 233
// CHECK-NEXT: 377 377.0 377 16 144 233

// CHANNEL-DAG: channel.stack @real (i32, i32) result 1 {linkage = #llvm.linkage<internal>}
// CHANNEL-DAG: channel.stack @words (i32, i32) result 1 {linkage = #llvm.linkage<internal>}
// CHANNEL-DAG: channel.stack @ways (i32, i32) result 1 {linkage = #llvm.linkage<internal>}
// CHANNEL-DAG: channel.stack @whole.acc (i32, i32) result 1 {linkage = #llvm.linkage<internal>}
// CHANNEL-DAG: channel.stack @stored (i32, !llvm.ptr) result 1 {linkage = #llvm.linkage<internal>}
// CHANNEL-DAG: channel.stack @shown (i32, !llvm.ptr) result 1 {linkage = #llvm.linkage<external>}

// LLVM-DAG: @__cilk2gpu_task_real.fields = internal constant [2 x { i32, i32 }] [{ i32, i32 } { i32 4, i32 4 }, { i32, i32 } { i32 4, i32 4 }]
// LLVM-DAG: @__cilk2gpu_task_shown.fields = internal constant [2 x { i32, i32 }] [{ i32, i32 } { i32 4, i32 4 }, { i32, i32 } { i32 8, i32 8 }]

// DEVICE-NOT: (i32, i32) result
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

static int whole(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn whole(n - 1), y = cilk_spawn whole(n - 2);
  cilk_sync;
  return x + y;
}

static double real(int n) {
  double x, y;
  if (n < 2)
    return n;
  x = cilk_spawn real(n - 1);
  y = cilk_spawn real(n - 2);
  cilk_sync;
  return x + y;
}

struct words {
  long first, second;
};
static struct words words(int n) {
  struct words x, y;
  if (n < 2)
    return (struct words){n, 1};
  x = cilk_spawn words(n - 1);
  y = cilk_spawn words(n - 2);
  cilk_sync;
  return (struct words){x.first + y.first, x.second > y.second ? x.second : y.second};
}

// An array of results, at indices that are known only at run time.
static float ways(int n) {
  float r[4];
  if (n <= 0)
    return 1;
  for (int i = 0; i < 4; ++i)
    r[i] = cilk_spawn ways(n - 1);
  cilk_sync;
  return (r[0] + r[1] + r[2] + r[3]) / 4 + n;
}

// One of its results goes to the heap.
static double stored(int n) {
  if (n < 2)
    return n;
  double *x = malloc(sizeof *x), y;
  *x = cilk_spawn stored(n - 1);
  y = cilk_spawn stored(n - 2);
  cilk_sync;
  y += *x;
  free(x);
  return y;
}

double shown(int n) {
  double x, y;
  if (n < 2)
    return n;
  x = cilk_spawn shown(n - 1);
  y = cilk_spawn shown(n - 2);
  cilk_sync;
  return x + y;
}

int main(void) {
  for (int i = 0; i < 2; ++i)
    printf("%d %.1f %ld %.0f %.0f %.0f\n", whole(14), real(14), words(14).first, ways(5), stored(12), shown(13));
}
