// A program for debuggers: a task that uses each result by itself after its sync, in optimised code, too.
#include <stdio.h>

long fib(int n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1);
  long y = cilk_spawn fib(n - 2);
  cilk_sync;
  if (x < y)
    printf("never\n");
  return x + y;
}

int main(void) {
  printf("%ld\n", fib(6));
  return 0;
}
