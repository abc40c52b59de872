// Tests code that a GPU cannot run: each has a message at its source line, unless no task reaches the code.
// RUN: not %cilk2gpu -O2 --offload-arch=sm_90 %s -o %t 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: not %cilk2gpu -O2 --offload-arch=gfx90a --emit=isa %s 2>&1 | FileCheck %s
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a -foffload-fallback %s -lm -o %t 2>&1 | FileCheck %s --check-prefixes=CHECK,KEPT --implicit-check-not=error:
// RUN: %t 2>&1 | FileCheck %s --check-prefix=STAYS
// RUN: env CILK2GPU_DEVICE=hip not %t 2>&1 | FileCheck %s --check-prefix=BY-NAME
// STAYS: tasks run on the CPU (CILK2GPU_DEVICE=native): tasks of this program cannot run on gfx90a, as the compiler's warnings say (-foffload-fallback)
// BY-NAME: error: CILK2GPU_DEVICE=hip: tasks of this program cannot run on gfx90a, as the compiler's warnings say (-foffload-fallback); use CILK2GPU_DEVICE=native
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <errno.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

_Thread_local int own;
int (*chosen)(int);
sem_t semaphore;

// KEPT: warning: tasks stay on the CPU if the GPU is a gfx90a, because of:
__attribute__((noinline)) int many(int count, ...) {
  va_list list;
  va_start(list, count);
  int sum = 0;
  while (count--)
    sum += va_arg(list, int);
  va_end(list);
  return sum;
}

long task(int n, double x) {
  if (n == 0) {
    long result = 0;
    // CHECK-DAG: refused.c:[[#@LINE+1]]:{{[0-9]+}}: {{error|warning}}: a task on a GPU calls 'fork', which has no version for GPUs, and which the host cannot call instead; define it in a file
    result += fork();
    // CHECK-DAG: refused.c:[[#@LINE+1]]:{{[0-9]+}}: {{error|warning}}: a task on a GPU calls 'sem_trywait', which may wait for another task
    result += sem_trywait(&semaphore);
    // CHECK-DAG: refused.c:[[#@LINE+1]]:{{[0-9]+}}: {{error|warning}}: a task on a GPU accesses errno, which its lanes share; test the argument or the result instead
    errno = 0;
    // CHECK-DAG: refused.c:[[#@LINE+1]]:{{[0-9]+}}: {{error|warning}}: a task on a GPU accesses errno
    result += fprintf(stderr, "100%% of %d: %-8m\n", n);
    // CHECK-DAG: refused.c:{{[0-9]+}}:{{[0-9]+}}: {{error|warning}}: a task on a GPU uses the thread-local variable 'own'; a GPU's lanes are not threads
    result += own;
    // CHECK-DAG: refused.c:[[#@LINE+1]]:{{[0-9]+}}: {{error|warning}}: a task on a GPU computes with 'long double', which GPUs do not have; use double
    result += (long)((long double)x * 3);
    // CHECK-DAG: refused.c:[[#@LINE+1]]:{{[0-9]+}}: {{error|warning}}: a task on a GPU cannot run inline assembly of the host; write it in C
    __asm__ volatile("nop");
    // CHECK-DAG: refused.c:[[#@LINE+1]]:{{[0-9]+}}: {{error|warning}}: a task on a GPU asks for the number of its worker, but lanes are not workers; return
    result += __cilkrts_get_worker_number() + __cilkrts_running_on_workers();
    // CHECK-DAG: refused.c:[[#@LINE+1]]:{{[0-9]+}}: {{error|warning}}: a task on a GPU calls 'many', which takes a variable number of arguments
    return result + many(2, n, n);
  }
  long a = cilk_spawn task(n - 1, x);
  long b = task(n - 1, -x);
  cilk_sync;
  return a + b;
}

// CHECK-NOT: 'printf'
int main(void) {
  printf("%ld\n", task(0, 0.5));
  return 0;
}
