// A result variable that has a value already and is given to a child only sometimes. With and without the spawn, it
// must have the right value after the sync: in straight code, in loops and after two spawns.
#include "checksum.h"
#include <cilk/cilk.h>

static int g(int n) { return n * 7 + 1; }

static int once(int n, int c) {
  int x = 0;
  if (c)
    x = cilk_spawn g(n);
  cilk_sync;
  return x;
}

static int either(int n) {
  int x = n, y = -n;
  if (n % 2)
    x = cilk_spawn g(n);
  else
    y = cilk_spawn either(n / 2 - (n == 0));
  if (n < 0)
    return 5;
  cilk_sync;
  return x + 3 * y;
}

static int in_a_loop(int n) {
  int x = 1, sum = 0;
  for (int i = 0; i < n; ++i) {
    if (i % 3 == 1)
      x = cilk_spawn g(i + sum % 100);
    if (i % 2) {
      cilk_sync; // x has the child's result, or its old value
      sum += x;
    } else {
      cilk_sync;
    }
  }
  return sum + x;
}

static int reused(int n) {
  int x = 4;
  x = cilk_spawn g(n);
  cilk_sync;
  int first = x;
  x = n;
  if (first % 2)
    x = cilk_spawn g(first % 50);
  cilk_sync;
  x += first;
  return x;
}

static double convert(int n) {
  double x = 0.5;
  unsigned char small = 200;
  if (n & 1)
    x = cilk_spawn g(n); // the child converts int to double
  if (n & 2)
    small = cilk_spawn g(n * 50); // keeps the low eight bits
  cilk_sync;
  return x + small;
}

int main(void) {
  Checksum sum = 0;
  for (int n = 0; n < 40; ++n) {
    sum = fold(sum, (unsigned)once(n, n % 3 == 0));
    sum = fold(sum, (unsigned)either(n));
    sum = fold(sum, (unsigned)in_a_loop(n));
    sum = fold(sum, (unsigned)reused(n));
    sum = fold(sum, (unsigned long long)(convert(n) * 2));
  }
  report("conditional results", sum);
  return 0;
}
