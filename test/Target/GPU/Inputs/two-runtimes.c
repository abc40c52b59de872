// Runs tasks of its own, tasks of a library, and its own tasks that call the library.
#include <cilk/cilk.h>
#include <stdio.h>

int fib(int n);

static int own(int n) {
  if (n < 2)
    return n;
  int low = cilk_spawn own(n - 1);
  int high = cilk_spawn fib(n - 2);
  cilk_sync;
  return low + high;
}

int main(void) {
  printf("%d\n", own(12));
  printf("%d\n", fib(12));
  return 0;
}
