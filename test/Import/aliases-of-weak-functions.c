// Tests spawns through aliases of weak functions. A local alias of one unit does not stand for that of another unit. A weak alias of a
// Cilk function stands for its tasks, unless a strong function is linked.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %cilk2gpu -O2 -c %s -o main.o && %cilk2gpu -O2 -c -DONE %s -o one.o && %cilk2gpu -O0 -c -DTWO %s -o two.o
// RUN: %cilk2gpu -O2 -c -DSTRONG %s -o strong.o
// RUN: %cilk2gpu main.o one.o two.o -o p && env CILK2GPU_ELIDE=never CILK2GPU_STATS=stats ./p | FileCheck %s
// RUN: FileCheck %s --check-prefix=TASKS < stats
// RUN: env CILK2GPU_DEVICE=model ./p | FileCheck %s
// RUN: env CILK2GPU_DEVICE=serial ./p | FileCheck %s
// RUN: %cilk2gpu two.o one.o main.o -o p && env CILK2GPU_ELIDE=never ./p | FileCheck %s
// RUN: %cilk2gpu main.o one.o two.o strong.o -o p && env CILK2GPU_ELIDE=never ./p | FileCheck %s --check-prefix=STRONG
// CHECK: 15 -15 610
// STRONG: 15 -15 7
// TASKS: tasks {{ *[1-9][0-9][0-9]}}
#include <stdio.h>

#if defined(ONE)
__attribute__((weak)) int same(int n) { return n; }
static int local(int n) __attribute__((alias("same")));
int one(int n) {
  int x = cilk_spawn local(n);
  cilk_sync;
  return x;
}
int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1);
  int y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}
int other(int n) __attribute__((weak, alias("fib")));
#elif defined(TWO)
__attribute__((weak)) int negative(int n) { return -n; }
static int local(int n) __attribute__((alias("negative")));
int two(int n) {
  int x = cilk_spawn local(n);
  cilk_sync;
  return x;
}
#elif defined(STRONG)
int other(int n) { return 7; }
#else
int one(int n), two(int n), other(int n);
static void run(int n) {
  int x = cilk_spawn one(n);
  int y = cilk_spawn two(n);
  int z = cilk_spawn other(n);
  cilk_sync;
  printf("%d %d %d\n", x, y, z);
}
int main(void) { run(15); }
#endif
