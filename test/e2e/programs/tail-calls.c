// Mandatory tail calls in functions that tasks call, deeper than any stack, also with structs by value and of Cilk functions.
#include <cilk/cilk.h>
#include <stdio.h>

#define MUST_TAIL __attribute__((musttail))

__attribute__((noinline)) static long steps(long n, long sum) {
  if (n == 0)
    return sum;
  MUST_TAIL return steps(n - 1, sum * 3 + n);
}

struct Large {
  long values[5];
};

__attribute__((noinline)) static long turns(long n, struct Large large) {
  if (n == 0)
    return large.values[0] - large.values[4];
  long first = large.values[0];
  for (int i = 0; i < 4; i++)
    large.values[i] = large.values[i + 1] + n;
  large.values[4] = first;
  return turns(n - 1, large);
}

static long fib(long n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

static long fib_of(long n) { MUST_TAIL return fib(n); }

static void task(long i, long *results) {
  struct Large large = {{i, 2 * i, 3, i ^ 5, 1}};
  results[i] = steps(i * 20000, i) + turns(i % 20, large) + fib_of(i % 7);
}

int main(void) {
  long results[40], sum = 0;
  cilk_for (long i = 0; i < 40; i++)
    task(i, results);
  long x = cilk_spawn fib_of(12);
  cilk_sync;
  for (int i = 0; i < 40; i++)
    sum = sum * 7 + results[i];
  printf("%ld %ld\n", x, sum);
  return 0;
}
