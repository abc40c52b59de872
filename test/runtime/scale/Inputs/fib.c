#include <cilk/cilk.h>
#include <cilk/cilkscale.h>
#include <stdio.h>

static int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1);
  int y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}

int main(void) {
  wsp_t start = wsp_getworkspan();
  int x = fib(16);
  wsp_dump(wsp_sub(wsp_getworkspan(), start), "fib, of 16");
  return printf("%d\n", x) < 0;
}
