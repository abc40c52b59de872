// fib by recursion without a cut-off: one task for each call, 2 * fib(n + 1) - 1 of them; prints the result.
#include "spawn.h"
#include <stdio.h>
#include <stdlib.h>

static int fib(int n) {
  int x, y;
  if (n < 2)
    return n;
  SPAWN(x, x, fib(n - 1));
  SPAWN(y, y, fib(n - 2));
  SYNC;
  return x + y;
}

int main(int argc, char **argv) {
  int result, n = argc > 1 ? atoi(argv[1]) : 32;
  RUN(result, fib(n));
  printf("%d\n", result);
  return 0;
}
