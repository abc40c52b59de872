// Tests functions with several versions, one of which the host chooses when the program starts. If the versions are for
// several processors, devices take the version for any processor. If the versions round differently, or if the program
// itself chooses, the host calls its chosen version for the lane.
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 --emit=llvm %s | FileCheck %s
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a,sm_90 -Rpass-analysis=cilk %s -o %t 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=remark:
// RUN: %t
#include <cilk/cilk.h>

// CHECK-NOT: __cpu_model
// CHECK-DAG: mul {{.*}}i64 {{.*}}, 1000003
// CHECK-DAG: mul {{.*}}i64 {{.*}}, 2000003
// CHECK-DAG: mul {{.*}}i64 {{.*}}, 3000017
// CHECK-NOT: __cpu_model
__attribute__((target_clones("avx2", "default"))) long clones(long i) { return i * 1000003; }
static __attribute__((target_clones("avx2", "arch=haswell", "default"))) long chosen(long i) { return i * 2000003; }
static __attribute__((target_clones("arch=haswell", "default"))) double negated(double x, double y) { return x * y - 0.1; }
static __attribute__((target("default"))) long picked(long i) { return i * 3000017; }
static __attribute__((target("avx2"))) long picked(long i) { return i * 3000017; }
__attribute__((target_clones("arch=haswell", "default"))) double rounded(double x, double y) { return x * y + 0.1; }

static long first(long i) { return i + 7; }
static long (*choose(void))(long) { return first; }
long program(long i) __attribute__((ifunc("choose")));

long seed = 4;

long task(long n) {
  if (n == 0) {
    // REMARK-DAG: versions.c:[[#@LINE+1]]:{{[0-9]+}}: remark: a task on a GPU calls 'rounded' on the host (--offload-arch=gfx90a)
    double product = rounded(seed * 0.1, 0.2);
    // REMARK-DAG: versions.c:[[#@LINE+1]]:{{[0-9]+}}: remark: a task on a GPU calls 'negated' on the host (--offload-arch=sm_90)
    product += negated(seed * 0.1, 0.2);
    // REMARK-DAG: versions.c:[[#@LINE+2]]:{{[0-9]+}}: remark: a task on a GPU calls 'program' on the host (--offload-arch=gfx90a)
    // REMARK-DAG: versions.c:[[#@LINE+1]]:{{[0-9]+}}: remark: a task on a GPU calls 'program' on the host (--offload-arch=sm_90)
    return clones(seed) ^ chosen(seed + 1) ^ picked(seed + 2) ^ program(seed) ^ (product > 1);
  }
  long a = cilk_spawn task(n - 1);
  cilk_sync;
  return a;
}

int main(void) { return task(1) != (4 * 1000003 ^ 5 * 2000003 ^ 6 * 3000017 ^ 11); }
