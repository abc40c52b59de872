// Tests that another library may replace a function that spawns, together with its tasks.
// RUN: %cilk2gpu -O2 -fPIC -fsemantic-interposition -DLIBRARY -shared %s -o %t.so
// RUN: %cilk2gpu -O2 -DPROGRAM %s %t.so -o %t && %t | FileCheck %s --check-prefix=PLAIN
// RUN: env CILK2GPU_ELIDE=never %t | FileCheck %s --check-prefix=PLAIN
// RUN: %cilk2gpu -O2 -DPROGRAM -DREPLACES -rdynamic %s %t.so -o %t && %t | FileCheck %s --check-prefix=REPLACED
// RUN: env CILK2GPU_ELIDE=never %t | FileCheck %s --check-prefix=REPLACED
// RUN: env CILK2GPU_DEVICE=serial %t | FileCheck %s --check-prefix=REPLACED
// RUN: env CILK2GPU_DEVICE=model %t | FileCheck %s --check-prefix=REPLACED
// Nothing replaces the functions of a program, and never main.
// RUN: %cilk2gpu -O2 -fPIC -fsemantic-interposition -DLIBRARY -DWHOLE %s -o %t && %t | FileCheck %s --check-prefix=PLAIN
// RUN: %cilk2gpu -O2 -fPIC -fsemantic-interposition -DMAIN -c %s -o %t.o && %cilk2gpu %t.o -o %t && %t | FileCheck %s --check-prefix=MAIN
// RUN: %cilk2gpu -O2 -fPIC -fsemantic-interposition -DMAIN --emit=cilk %s | FileCheck %s --check-prefix=EMIT
// EMIT: llvm.func @main
// EMIT: cilk.spawn
// RUN: %cilk2gpu -O2 --offload-arch=gpu-host -fPIC -fsemantic-interposition -DLIBRARY -DWHOLE %s -o %t
// RUN: env CILK2GPU_DEVICE=gpu-host %t | FileCheck %s --check-prefix=PLAIN
// PLAIN: 12 24
// REPLACED: 102 1002
// MAIN: 12
#include <cilk/cilk.h>
#include <stdio.h>

int leaf(int n);
int spawns(int n);
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
int spawns(int n) {
  int x = 0;
  if (n == 2)
    x = cilk_spawn spawns(n - 1);
  cilk_sync;
  return n == 2 ? x + 1 : 1000 + n;
}
#endif
int main(void) { printf("%d\n", run(2)); }
#else
int leaf(int n) { return 10 + n; }
int spawns(int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  return 2 * x;
}
static int both(int n) {
  int x = cilk_spawn leaf(n);
  int y = cilk_spawn spawns(n);
  cilk_sync;
  printf("%d ", x);
  return y;
}
int run(int n) { return both(n); }
#ifdef WHOLE
int main(void) { printf("%d\n", run(2)); }
#endif
#endif
