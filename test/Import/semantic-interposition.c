// Tests that a function that spawns is refused if another library may replace it, because its tasks would stay. A function that
// cannot be replaced may spawn such a function by its name.
// RUN: not %cilk2gpu -O2 -shared -fPIC -fsemantic-interposition %s -o %t.so 2>&1 | FileCheck %s
// RUN: not %cilk2gpu -O2 -fPIC -fsemantic-interposition -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %cilk2gpu -O2 -fPIC -c %s -o %t.o
// RUN: %cilk2gpu -O2 -fsemantic-interposition -c %s -o %t.o
// RUN: %cilk2gpu -O2 -fPIC -fsemantic-interposition -fvisibility=hidden -c %s -o %t.o
// RUN: %cilk2gpu -O2 -fPIC -fsemantic-interposition -DLIBRARY -shared %s -o %t.so
// Nothing replaces the functions of a program, and never main.
// RUN: %cilk2gpu -O2 -fPIC -fsemantic-interposition -DWHOLE %s -o %t && %t | FileCheck %s --check-prefix=PLAIN
// RUN: %cilk2gpu -O2 -fPIC -fsemantic-interposition -DMAIN -c %s -o %t.o && %cilk2gpu %t.o -o %t && %t | FileCheck %s --check-prefix=PLAIN
// RUN: %cilk2gpu -O2 -fPIC -fsemantic-interposition -DMAIN --emit=cilk %s | FileCheck %s --check-prefix=EMIT
// EMIT: llvm.func @main
// EMIT: cilk.spawn
// RUN: %cilk2gpu -O2 -DPROGRAM %s %t.so -o %t && %t | FileCheck %s --check-prefix=PLAIN
// RUN: %cilk2gpu -O2 -DPROGRAM -DREPLACES -rdynamic %s %t.so -o %t && %t | FileCheck %s --check-prefix=REPLACED
// RUN: env CILK2GPU_DEVICE=serial %t | FileCheck %s --check-prefix=REPLACED
// PLAIN: 12
// REPLACED: 102
#include <cilk/cilk.h>
#include <stdio.h>

int leaf(int n);
int run(int n);

#ifdef MAIN
int leaf(int n) { return 10 + n; }
int main(void) {
  int x = cilk_spawn leaf(2);
  cilk_sync;
  printf("%d\n", x);
}
#elif defined(PROGRAM)
#ifdef REPLACES
int leaf(int n) { return 100 + n; }
#endif
int main(void) { printf("%d\n", run(2)); }
#else
int leaf(int n) { return 10 + n; }
#ifndef LIBRARY
// CHECK: semantic-interposition.c:[[@LINE+1]]:{{.*}}under -fsemantic-interposition a function that spawns cannot be replaced
int spawns(int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  return x;
}
#else
static int spawns(int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  return x;
}
#endif
int run(int n) { return spawns(n); }
#ifdef WHOLE
int main(void) { printf("%d\n", run(2)); }
#endif
#endif
