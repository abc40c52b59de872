// A program for debuggers: a task with a parameter, locals that hold results, and a value that is computed after a sync.
#include <stdio.h>

long fib(int n) {
  if (n < 2)
    return n;
  long x, y;
  x = cilk_spawn fib(n - 1);
  y = cilk_spawn fib(n - 2);
  cilk_sync;
  long sum = x + y;
  return sum;
}

int main(void) {
  printf("%ld\n", fib(6));
  return 0;
}
