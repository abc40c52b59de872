// Tests that spawns and calls by an alias are spawns and calls of its function, unless another definition may be linked in its
// place.
// RUN: %cilk2gpu -O2 -fno-cilk-combine --emit=channel %s | FileCheck %s --implicit-check-not=@alias
// RUN: %cilk2gpu -O2 -DWEAK --emit=channel %s | FileCheck %s --check-prefix=OTHER
// RUN: %cilk2gpu -O2 -fPIC -fsemantic-interposition -DHIDDEN --emit=channel %s | FileCheck %s --check-prefix=OTHER
// RUN: %cilk2gpu -O2 --offload-arch=gpu-host %s -o %t
// RUN: env CILK2GPU_DEVICE=gpu-host CILK2GPU_STATS=- %t 2>&1 | FileCheck %s --check-prefix=TASKS
#include <cilk/cilk.h>
#include <stdio.h>

#ifdef WEAK
#define KIND weak,
#else
#define KIND
#endif

#ifdef HIDDEN
__attribute__((visibility("hidden")))
#endif
long fib(long n);
long alias(long n) __attribute__((KIND alias("fib")));
long alias_of_alias(long n) __attribute__((KIND alias("alias")));

// CHECK-LABEL: channel.kernel {{.*}}@fib.k0
// CHECK: channel.enq @cilk::@fib %
// OTHER: call @alias(
// OTHER: call @alias_of_alias(
long fib(long n) {
  if (n < 2)
    return n;
  long x = cilk_spawn alias(n - 1);
  long y = alias_of_alias(n - 2);
  cilk_sync;
  return x + y;
}

// TASKS-DAG: 987
// TASKS-DAG: tasks {{ *[0-9][0-9][0-9][0-9]}}
int main(void) {
  printf("%ld\n", fib(16));
  return 0;
}
