// Tests that weak functions may spawn, and that the definition that the linker takes runs: in tasks, in elisions, and on each device.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %cilk2gpu -O2 -c %s -o main.o && %cilk2gpu -O0 -c %s -o main0.o
// RUN: %cilk2gpu -O2 -c -DWEAK=1 %s -o one.o && %cilk2gpu -O0 -c -DWEAK=2 %s -o two.o
// RUN: %cilk2gpu -O2 -c -DSTRONG=3 %s -o strong.o && %cilk2gpu -O2 -c -DPLAIN %s -o plain.o
// RUN: %clang -O2 -c -DPLAIN %s -o other.o

// RUN: %cilk2gpu main.o one.o -o p && ./p | FileCheck %s --check-prefix=ONE
// RUN: env CILK2GPU_ELIDE=never CILK2GPU_STATS=stats ./p | FileCheck %s --check-prefix=ONE
// RUN: FileCheck %s --check-prefix=TASKS < stats
// RUN: env CILK2GPU_ELIDE=never CILK2GPU_WIDTH=1 CILK2GPU_WAVE=3 CILK2GPU_WORKERS=2 ./p | FileCheck %s --check-prefix=ONE
// RUN: env CILK2GPU_ELIDE=never CILK2GPU_DEVICE=model CILK2GPU_WAVE=64 ./p | FileCheck %s --check-prefix=ONE
// RUN: env CILK2GPU_ELIDE=always ./p | FileCheck %s --check-prefix=ONE
// RUN: env CILK2GPU_DEVICE=serial ./p | FileCheck %s --check-prefix=ONE

// The first of several weak functions is taken.
// RUN: %cilk2gpu one.o main0.o two.o -o p && env CILK2GPU_ELIDE=never ./p | FileCheck %s --check-prefix=ONE
// RUN: %cilk2gpu two.o one.o main.o -o p && env CILK2GPU_ELIDE=never ./p | FileCheck %s --check-prefix=TWO
// RUN: env CILK2GPU_ELIDE=always ./p | FileCheck %s --check-prefix=TWO
// RUN: env CILK2GPU_DEVICE=model ./p | FileCheck %s --check-prefix=TWO

// A strong function is taken wherever it stands, also one that does not spawn, or that another compiler has made.
// RUN: %cilk2gpu one.o main.o strong.o two.o -o p && env CILK2GPU_ELIDE=never ./p | FileCheck %s --check-prefix=STRONG
// RUN: env CILK2GPU_ELIDE=always ./p | FileCheck %s --check-prefix=STRONG
// RUN: %cilk2gpu one.o main0.o plain.o -o p && env CILK2GPU_ELIDE=never ./p | FileCheck %s --check-prefix=PLAIN
// RUN: env CILK2GPU_DEVICE=model ./p | FileCheck %s --check-prefix=PLAIN
// RUN: env CILK2GPU_ELIDE=always ./p | FileCheck %s --check-prefix=PLAIN
// RUN: %cilk2gpu one.o main.o other.o -o p && env CILK2GPU_ELIDE=never ./p | FileCheck %s --check-prefix=PLAIN

// RUN: %cilk2gpu -O2 --offload-arch=gpu-host -c %s -o main.gpu.o && %cilk2gpu -O2 --offload-arch=gpu-host -DWEAK=1 -c %s -o one.gpu.o
// RUN: %cilk2gpu -O2 --offload-arch=gpu-host -DWEAK=2 -c %s -o two.gpu.o && %cilk2gpu -O2 --offload-arch=gpu-host -DSTRONG=3 -c %s -o strong.gpu.o
// RUN: %cilk2gpu --offload-arch=gpu-host two.gpu.o main.gpu.o one.gpu.o -o p && env CILK2GPU_DEVICE=gpu-host ./p | FileCheck %s --check-prefix=TWO
// RUN: env CILK2GPU_DEVICE=gpu-host CILK2GPU_AGGREGATOR=persistent CILK2GPU_WIDTH=1 ./p | FileCheck %s --check-prefix=TWO
// RUN: %cilk2gpu --offload-arch=gpu-host two.gpu.o main.gpu.o strong.gpu.o -o p && env CILK2GPU_DEVICE=gpu-host ./p | FileCheck %s --check-prefix=STRONG
// Device code has one definition, too.
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a,sm_90 -c %s -o main.gpu.o && %cilk2gpu -O2 --offload-arch=gfx90a,sm_90 -DWEAK=1 -c %s -o one.gpu.o
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a,sm_90 -DWEAK=2 -c %s -o two.gpu.o
// RUN: %cilk2gpu --offload-arch=gfx90a,sm_90 two.gpu.o main.gpu.o one.gpu.o -o p && env CILK2GPU_DEVICE=serial ./p | FileCheck %s --check-prefix=TWO

// ONE: 987 610 45
// TWO: 1974 1220 90
// STRONG: 2961 1830 135
// PLAIN: -16 -15 -10
// There would be some 30 tasks if only ordinary functions called fib.
// TASKS: tasks {{ *[1-9][0-9][0-9][0-9]}}
#include <stdio.h>

#if defined(PLAIN)
int fib(int n) { return -n; }
int sum(int n) { return -n; }
#elif defined(WEAK) || defined(STRONG)
#ifdef STRONG
#define KIND
#define FACTOR STRONG
#else
#define KIND __attribute__((weak))
#define FACTOR WEAK
#endif
KIND int fib(int n) {
  if (n < 2)
    return n * FACTOR;
  int x = cilk_spawn fib(n - 1);
  int y = fib(n - 2);
  cilk_sync;
  return x + y;
}
KIND int sum(int n) {
  int values[32], result = 0;
  cilk_for (int i = 0; i < n; ++i)
    values[i] = i * FACTOR;
  for (int i = 0; i < n; ++i)
    result += values[i];
  return result;
}
#else
int fib(int n);
int sum(int n);
static int first(int n) {
  int x = cilk_spawn fib(n);
  int y = fib(n - 1);
  cilk_sync;
  printf("%d %d", x, y);
  return 10;
}
int main(void) {
  int n = first(16);
  int z = cilk_spawn sum(n);
  cilk_sync;
  printf(" %d\n", z);
}
#endif
