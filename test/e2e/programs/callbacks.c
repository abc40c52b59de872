// Cilk functions called from ordinary code inside a task: from qsort's comparator, through function pointers, and from a
// recursive helper. The host also calls them through pointers.
#include "checksum.h"
#include <cilk/cilk.h>
#include <stdlib.h>

static int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1);
  int y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}

static int by_fib(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  int fx = fib(x % 9), fy = fib(y % 9);
  return fx != fy ? (fx < fy ? -1 : 1) : (x > y) - (x < y);
}

static Checksum sorted(int n) {
  int values[32];
  unsigned state = (unsigned)n * 747796405u + 1;
  Checksum parts[2] = {0, 0};
  for (int i = 0; i < 32; ++i) {
    state = state * 1664525u + 1013904223u;
    values[i] = (int)(state >> 20);
  }
  if (n > 0) {
    parts[0] = cilk_spawn sorted(n - 1);
    parts[1] = cilk_spawn sorted(n / 2);
  }
  qsort(values, 32, sizeof(int), by_fib);
  cilk_sync;
  Checksum sum = fold(parts[0], parts[1]);
  for (int i = 0; i < 32; ++i)
    sum = fold(sum, (unsigned)values[i]);
  return sum;
}

static int other(int n) {
  int x = cilk_spawn fib(n % 10);
  cilk_sync;
  return x + 1;
}

static int (*const table[2])(int) = {fib, other};

static int pick(int n) { return table[n & 1](n % 8) + (n > 0 ? pick(n / 2) : 0); }

static int through_pointers(int n) {
  int a = cilk_spawn pick(n);
  int b = pick(n + 1);
  cilk_sync;
  return a * 3 + b;
}

int main(void) {
  Checksum sum = 0;
  for (int n = 0; n < 10; ++n)
    sum = fold(sum, sorted(n));
  for (int n = 0; n < 30; ++n) {
    sum = fold(sum, (unsigned)through_pointers(n));
    sum = fold(sum, (unsigned)table[n % 2](n % 12));
  }
  report("callbacks", sum);
  return 0;
}
