// Tests pointers to functions that are defined elsewhere. Calls of known functions become calls by name. For others, a table
// leads to calls on the host, to the device runtime's versions, and to device code of another file.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %cilk2gpu -O2 --offload-arch=sm_90,gfx90a -c -DOTHER %s -o other.o
// RUN: %cilk2gpu -O2 --offload-arch=sm_90,gfx90a -c %s -o tasks.o
// RUN: %cilk2gpu --offload-arch=sm_90,gfx90a -Rpass-analysis=cilk tasks.o other.o -lm -o prog 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=remark:
// RUN: ./prog
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 --emit=llvm %s | FileCheck %s
// RUN: not %cilk2gpu -O2 --offload-arch=sm_90 --emit=llvm -DBOUND %s 2>&1 | FileCheck %s --check-prefix=BOUND
// REMARK-DAG: host-pointers.c:[[KNOWN:[0-9]+]]:{{.*}}: remark: a task on a GPU calls 'hypot' on the host (--offload-arch=sm_90)
// REMARK-DAG: host-pointers.c:[[KNOWN]]:{{.*}}: remark: a task on a GPU calls 'hypot' on the host (--offload-arch=gfx90a)
// CHECK: @__cilk2gpu_function_table = {{.*}} constant [5 x
// CHECK-SAME: __cilk2gpu_called.
// CHECK-NOT: declare {{.*}}@{{tan|hypot|free}}(
#ifdef OTHER
double elsewhere(double x) { return x + 2; }
#else
#include <cilk/cilk.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

double elsewhere(double);

typedef double Function(double);
static Function *const functions[3] = {tan, elsewhere, sqrt};
void (*volatile release)(void *) = free;
#ifdef BOUND
int (*volatile wait)(pthread_mutex_t *) = pthread_mutex_lock;
#endif
double (*unused)(const char *) = atof;
void nowhere(int) __attribute__((weak));
void (*volatile optional)(int) = nowhere;

static double apply(double (*function)(double, double), double x) {
  return function(3 * x, 4 * x);
}

static void task(int i, double *r) {
  double *memory = malloc(sizeof(double));
  *memory = functions[i % 3](i) + apply(hypot, i);
  *r = *memory;
  release(memory);
  if (optional)
    optional(i);
#ifdef BOUND
  // BOUND: host-pointers.c:[[#@LINE+1]]:{{[0-9]+}}: error: a task on a GPU calls through a pointer, but no function of this type
  wait(0);
#endif
}

int main(void) {
  double r[6];
  cilk_for (int i = 0; i < 6; i++)
    task(i, &r[i]);
  return r[4] != 6 + 20 || r[3] != tan(3) + 15;
}
#endif
