// Tests functions that spawn and have checks that trap. Clang makes one trap for all checks of a kind in a function, including
// the bodies of its loops.
// RUN: %cilk2gpu -O2 -fsanitize=undefined -fsanitize-trap=all %s -o %t && %t | FileCheck %s
// RUN: %cilk2gpu -O0 -fsanitize=undefined -fsanitize-trap=all %s -o %t && %t | FileCheck %s
// RUN: %cilk2gpu -O1 -ftrapv -fcilk-lanes=simd %s -o %t && %t | FileCheck %s
// RUN: %cilk2gpu -O2 -fsanitize=undefined -fsanitize-trap=all %s -o %t && not --crash %t 2000000000
// CHECK: 147 9
#include <cilk/cilk.h>
#include <stdio.h>

static int leaf(int x) { return x + 1; }
static int sum(int n, int by) {
  int values[20], s = 0;
  cilk_for (int i = 0; i < n; ++i) {
    values[i] = i * by;
    if (i > 3)
      cilk_for (int j = 0; j < 1; ++j)
        values[i] = values[i] * 1 + j * n;
  }
  for (int i = 0; i < n; i++)
    s += values[i];
  return s * 1;
}
static int spawns(int n, int *p) {
  int x = cilk_spawn leaf(p[n] * n);
  cilk_sync;
  return x + n;
}
int main(int argc, char **argv) {
  int values[3] = {1, 2, 3};
  int by = 7;
  if (argc > 1)
    sscanf(argv[1], "%d", &by);
  int s = sum(7, by), x = spawns(2, values);
  printf("%d %d\n", s, x);
}
