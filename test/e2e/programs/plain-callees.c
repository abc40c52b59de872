// Spawns of functions that are not Cilk functions: static, external, variadic in their callees, recursive in
// themselves, inlinable, and through a function pointer in a helper.
#include "checksum.h"
#include <cilk/cilk.h>

static inline int square(int n) { return n * n; }

int external_cube(int n) { return n * n * n; }

static unsigned collatz(unsigned long n) {
  unsigned steps = 0;
  for (; n != 1; ++steps)
    n = n % 2 ? 3 * n + 1 : n / 2;
  return steps;
}

static int ackermann(int m, int n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static int apply(int (*f)(int), int n) { return f(n); }

static void accumulate(long *total, const int *values, int count) {
  long sum = 0;
  for (int i = 0; i < count; ++i)
    sum += values[i];
  *total = sum;
}

static long mixed(int n) {
  int a = cilk_spawn square(n);
  int b = cilk_spawn external_cube(n);
  unsigned c = cilk_spawn collatz((unsigned long)n + 1);
  int d = cilk_spawn ackermann(2, n % 10);
  int e = cilk_spawn apply(n % 2 ? square : external_cube, n);
  int values[5] = {n, n + 1, n + 2, n + 3, n + 4};
  long total;
  cilk_spawn accumulate(&total, values, 5);
  cilk_sync;
  return a + 2L * b + 3 * (long)c + 5L * d + 7L * e + 11 * total;
}

int main(void) {
  Checksum sum = 0;
  for (int n = 0; n < 200; ++n)
    sum = fold(sum, (unsigned long)mixed(n));
  report("plain callees", sum);
  return 0;
}
