// Tests that a weak function that spawns is refused: functions made of its body would stay if a linker takes another definition.
// If a weak function is spawned, the definition that the linker takes runs.
// RUN: not %cilk2gpu -O2 -c -DWEAK %s -o %t.o 2>&1 | FileCheck %s --check-prefix=WEAK
// RUN: not %cilk2gpu -O0 -c -DWEAK %s -o %t.o 2>&1 | FileCheck %s --check-prefix=WEAK
// RUN: %cilk2gpu -O2 -c -DSTRONG %s -o %t.strong.o
// RUN: %cilk2gpu -O2 -c %s -o %t.o
// RUN: %cilk2gpu %t.o %t.strong.o -o %t && %t | FileCheck %s
// RUN: env CILK2GPU_DEVICE=serial %t | FileCheck %s
// RUN: %cilk2gpu %t.strong.o %t.o -o %t && %t | FileCheck %s
// RUN: %cilk2gpu %t.o -o %t && %t | FileCheck %s --check-prefix=ALONE
// CHECK: 20 7 21 22
// ALONE: 10 5 11 0
#include <cilk/cilk.h>
#include <stdio.h>

#ifdef STRONG
int leaf(int n) { return 20 + n; }
int tree(int n) {
  int x = 0;
  if (n > 0)
    x = cilk_spawn tree(n - 1);
  cilk_sync;
  return x + (n == 5 ? 2 : 1);
}
int elsewhere(int n) { return 20 + n; }
#else
__attribute__((weak)) int leaf(int n) { return 10 + n; }
__attribute__((weak)) int tree(int n) { return n; }
__attribute__((weak)) int elsewhere(int n);
#ifdef WEAK
// WEAK: weak-functions.c:[[@LINE+1]]:{{.*}}a function that spawns cannot be weak, because the linker may take another definition, whose tasks differ; remove the attribute, or move the spawns to a function that the weak one calls
__attribute__((weak)) int spawns(int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  return x;
}
// WEAK: weak-functions.c:[[@LINE+2]]:{{.*}}a function that spawns cannot be weak
#pragma weak loops
void loops(int *values, int n) {
  cilk_for (int i = 0; i < n; ++i)
    values[i] = leaf(i);
}
#endif
int run(int n, int *more) {
  int x = cilk_spawn leaf(n);
  int y = cilk_spawn tree(n + 5);
  if (elsewhere)
    *more = cilk_spawn elsewhere(n + 2);
  cilk_sync;
  return x * 100 + y;
}
int main(void) {
  int more = 0, x = cilk_spawn leaf(1);
  int sum = run(0, &more);
  cilk_sync;
  printf("%d %d %d %d\n", sum / 100, sum % 100, x, more);
}
#endif
