// Tests that a program that spawns a Cilk function that a shared library exports spawns its tasks. If another object replaces the
// function, the tasks are that object's.
// RUN: %cilk2gpu -O2 -fPIC -shared -DLIBRARY %s -o %t.so
// RUN: %cilk2gpu -O2 %s %t.so -o %t
// RUN: env CILK2GPU_ELIDE=never CILK2GPU_STATS=%t.stats %t | FileCheck %s && FileCheck %s --check-prefix=TASKS < %t.stats
// RUN: env CILK2GPU_ELIDE=never CILK2GPU_DEVICE=model CILK2GPU_STATS=%t.stats %t | FileCheck %s && FileCheck %s --check-prefix=TASKS < %t.stats
// RUN: env CILK2GPU_WIDTH=1 CILK2GPU_WAVE=3 %t | FileCheck %s
// RUN: env CILK2GPU_DEVICE=serial %t | FileCheck %s
// RUN: %cilk2gpu -O0 -fPIE -pie %s %t.so -o %t && env CILK2GPU_ELIDE=never CILK2GPU_STATS=%t.stats %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=TASKS < %t.stats
// RUN: %cilk2gpu -O2 -c -DPLAIN %s -o %t.plain.o && %cilk2gpu -O2 %s %t.plain.o %t.so -rdynamic -o %t && %t | FileCheck %s --check-prefix=PLAIN
// CHECK: 4247 4 465
// PLAIN: -178 4 -131
// There would be only some 80 tasks if the functions were ordinary functions to the program.
// TASKS: tasks {{ *7[0-9][0-9][0-9]}}
#include <cilk/cilk.h>
#include <stdio.h>

int fib(int n);
int twice(int n);
int same(int n);

#ifdef LIBRARY
int fib(int n) {
  if (n < 2)
    return n;
  int a = cilk_spawn fib(n - 1);
  int b = cilk_spawn fib(n - 2);
  cilk_sync;
  return a + b;
}
int twice(int n) { return 2 * n; }
int same(int n) __attribute__((alias("fib")));
#elif defined(PLAIN)
int fib(int n) { return -n; }
int same(int n) { return -n; }
#else
static int all(int n) {
  if (n == 0)
    return 0;
  int a = cilk_spawn all(n - 1);
  int b = cilk_spawn fib(n);
  cilk_sync;
  return a + b;
}

// The two names lead to one task.
static int both(int n) {
  if (n < 2)
    return n;
  int a = cilk_spawn both(n - 1);
  int b = cilk_spawn fib(n - 1);
  int c = cilk_spawn same(n - 1);
  cilk_sync;
  return a + b + c;
}

int main(void) {
  int x = cilk_spawn twice(2);
  int sum = all(17) + all(5);
  int more = cilk_spawn fib(10);
  cilk_sync;
  printf("%d %d %d\n", sum + more, x, both(12));
}
#endif
