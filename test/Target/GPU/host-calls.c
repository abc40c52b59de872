// Tests that the host calls functions that only the host has, through thunks whose addresses the image gets. Their
// arguments are in memory that the host reaches. A remark names each call. Calls that wait for other tasks are refused.
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 --emit=llvm %s | FileCheck %s
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a --emit=llvm %s | FileCheck %s
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a,sm_90 -Rpass-analysis=cilk %s -lm -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %t
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a --emit=hsaco -ffast-math %s -o %t.co
// RUN: %cilk2gpu -O2 -foffload-persistent --offload-arch=gfx942 --emit=hsaco %s -o %t.co
// RUN: %cilk2gpu -O2 -foffload-persistent --offload-arch=sm_90 --emit=llvm %s | FileCheck %s --check-prefix=KERNEL
// RUN: not %cilk2gpu -O2 --offload-arch=sm_90 --emit=ptx -DLOCK %s 2>&1 | FileCheck %s --check-prefix=LOCK
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 --emit=llvm -DQUIET %s | FileCheck %s --check-prefix=QUIET
// A persistent kernel's own locals stay where they are.
// KERNEL: define {{.*}}@__cilk2gpu_persistent(
// KERNEL-NOT: call {{.*}}__cilk2gpu_device_share
// KERNEL: {{^}}}
#include <cilk/cilk.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

#ifdef QUIET
// Functions with a version for GPUs need no queue of requests, unless functions recurse, as elisions do.
// QUIET-NOT: @__cilk2gpu_requests
#define CHILD leaf
static double leaf(int n) { return n ? sqrt(n) : fabs(-1.0); }
double task(int n) {
#else
#define CHILD task
// CHECK-DAG: @__cilk2gpu_requests = protected
// CHECK-NOT: declare {{.*}}@{{sin|strtol|qsort|snprintf|rand}}(
double task(int n) {
  // REMARK-DAG: host-calls.c:[[#@LINE+1]]:{{[0-9]+}}: remark: a task on a GPU calls 'sin' on the host (--offload-arch=sm_90)
  double x = sin(n);
  if (n == 0) {
    int numbers[] = {3, 1, 2};
    char text[16], *end;
    // REMARK-DAG: host-calls.c:[[#@LINE+1]]:{{[0-9]+}}: remark: a task on a GPU calls 'qsort' on the host (--offload-arch=gfx90a)
    qsort(numbers, 3, sizeof(int), compare);
    // REMARK-DAG: host-calls.c:[[#@LINE+1]]:{{[0-9]+}}: remark: a task on a GPU calls 'snprintf' on the host
    snprintf(text, sizeof text, "%d%d %g", numbers[0], numbers[2], x);
    // REMARK-DAG: host-calls.c:[[#@LINE+1]]:{{[0-9]+}}: remark: a task on a GPU calls 'strtol' on the host
    return (double)strtol(text, &end, 10) + (double)(end - text) + powf(2.5f, 3.25f);
  }
#endif
#ifdef LOCK
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  // LOCK: host-calls.c:[[#@LINE+1]]:{{[0-9]+}}: error: a task on a GPU calls 'pthread_mutex_lock', which may wait for another task
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
#endif
  double a = cilk_spawn CHILD(n - 1);
  double b = CHILD(n - 1);
  cilk_sync;
  return a + b;
}

int main(void) { return !(task(0) == task(0)); }
