// Tests that a continue may name the cilk_for around it.
// RUN: %cilk2gpu -std=c2y -O2 -fserial-elision %s -o %t.serial && %t.serial > %t.expected
// RUN: %cilk2gpu -std=c2y -O2 %s -o %t && %t | diff - %t.expected
// RUN: %cilk2gpu -std=c2y -O0 -g %s -o %t && env CILK2GPU_WIDTH=1 %t | diff - %t.expected
#include <stdio.h>

static int seen[100];
static void add(int *p, int n) { *p += n; }

static void fill(int n) {
each:
  cilk_for (int i = 0; i < n; ++i) {
    int part = 1;
    for (int k = 0; k < 5; ++k) {
      switch ((i + k) % 7) {
      case 3:
        continue each;
      case 5:
        continue;
      }
      part += k;
    }
    cilk_scope {
      cilk_spawn add(&seen[i], part);
      if (i % 11 == 0)
        continue each;
    }
    seen[i] += 100;
  inner:
    cilk_for (int k = 0; k < 3; ++k) {
      while (1) {
        if (k == i % 3)
          continue inner;
        __atomic_fetch_add(&seen[(i + k) % 100], 1000, __ATOMIC_RELAXED);
        break;
      }
    }
  }
}

int main(void) {
  fill(90);
  fill(40);
  for (int i = 0; i < 100; ++i)
    printf("%d ", seen[i]);
}
