// fib by recursion without a cut-off: one task for each call, 2 * fib(n + 1) - 1 of them.
//   fib [n]      n from 0 to 90, by default 38
#include "../Spawn.h"

#ifndef BENCH_CUTOFF
#define BENCH_CUTOFF 0 // calls with a smaller n spawn nothing
#endif

#ifdef BENCH_DOUBLE // sums that may not be reassociated, so every call has to wait for its children
typedef double Number;
#else
typedef long Number;
#endif

static Number fib_serial(int n) { return n < 2 ? n : fib_serial(n - 1) + fib_serial(n - 2); }

static Number fib(int n) {
  Number x, y;
  if (n < 2)
    return n;
  if (n < BENCH_CUTOFF)
    return fib_serial(n);
  GROUP;
  SPAWN(x, fib, n - 1);
  SPAWN(y, fib, n - 2);
  SYNC;
  return x + y;
}

static long fib_by_loop(int n) {
  long a = 0, b = 1;
  for (int i = 0; i < n; ++i) {
    long next = a + b;
    a = b;
    b = next;
  }
  return a;
}

int main(int argc, char **argv) {
  int n = (int)bench_size(argc, argv, 38, 0, 90);
  Number result;
  RUN(result, fib, n);
  printf("fib(%d) = %ld\n", n, (long)result);
  return bench_verdict((long)result == fib_by_loop(n));
}
