// Tests that functions that only their own unit can see have tasks of their own. Other units spawn functions, or have a Cilk
// function with other parameters, of the same name. The same holds for hidden functions of two libraries.
// RUN: %cilk2gpu -O2 -c -DFIRST %s -o %t.1.o && %cilk2gpu -O2 -c -DSECOND %s -o %t.2.o && %cilk2gpu -O0 -c -DTHIRD %s -o %t.3.o
// RUN: %cilk2gpu -O2 -DMAIN %s %t.1.o %t.2.o %t.3.o -o %t && %t | FileCheck %s
// RUN: %cilk2gpu -O2 -DMAIN %s %t.3.o %t.2.o %t.1.o -o %t && %t | FileCheck %s
// RUN: env CILK2GPU_DEVICE=model %t | FileCheck %s
// RUN: %cilk2gpu -O2 -shared -fPIC -DFIRST "-DVISIBILITY=__attribute__((visibility(\"hidden\")))" %s -o %t.1.so
// RUN: %cilk2gpu -O2 -shared -fPIC -DSECOND "-DVISIBILITY=__attribute__((visibility(\"hidden\")))" %s -o %t.2.so
// RUN: %cilk2gpu -O2 -DMAIN %s %t.1.so %t.2.so %t.3.o -o %t && %t | FileCheck %s
// Two libraries export a Cilk function of the same name. Each calls its own, as found by dlsym.
// RUN: %cilk2gpu -O2 -shared -fPIC -DPLUGIN=100 %s -o %t.p1.so && %cilk2gpu -O2 -shared -fPIC -DPLUGIN=200 %s -o %t.p2.so
// RUN: %cilk2gpu -O2 -DHOST %s -o %t && %t %t.p1.so %t.p2.so | FileCheck %s --check-prefix=PLUGINS
// CHECK: 60 128 56
// PLUGINS: 202 402
#include <cilk/cilk.h>
#include <stdio.h>
#ifndef VISIBILITY
#define VISIBILITY static
#endif

int first(int n);
int second(int n);
int third(int n);

#ifdef FIRST
VISIBILITY int pick(int n) { return 2 * n; }
int first(int n) {
  int x = cilk_spawn pick(n), y = cilk_spawn pick(2 * n);
  cilk_sync;
  return x + y;
}
#elif defined(SECOND)
VISIBILITY int pick(char *unused, long n) { return unused ? -1 : (int)(3 * n); }
VISIBILITY int twice(int n) {
  int x = cilk_spawn pick(NULL, n), y = cilk_spawn pick(NULL, n + n / 3);
  cilk_sync;
  return x + y;
}
int second(int n) { return twice(n) - 10; }
#elif defined(THIRD)
int pick(int n) {
  if (n < 2)
    return 1;
  int x = cilk_spawn pick(n - 1), y = cilk_spawn pick(n - 2);
  cilk_sync;
  return x + y + 1;
}
int third(int n) {
  int x = cilk_spawn pick(n);
  cilk_sync;
  return x - n - 1;
}
#elif defined(PLUGIN)
static int one(int n) { return n + PLUGIN; }
int plug(int n) {
  int x = cilk_spawn one(n), y = cilk_spawn one(n);
  cilk_sync;
  return x + y;
}
#elif defined(HOST)
#include <dlfcn.h>
int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i)
    printf("%d ", ((int (*)(int))dlsym(dlopen(argv[i], RTLD_NOW | RTLD_GLOBAL), "plug"))(1));
}
#else
int main(void) { printf("%d %d %d\n", first(10), second(20), third(10) - 110); }
#endif
