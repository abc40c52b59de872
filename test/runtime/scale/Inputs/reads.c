// Reads numbers, spawns two calls for each, and ends with the last number as its status.
#include <cilk/cilk.h>
#include <stdio.h>

static __attribute__((noinline)) void twice(int *x) { *x *= 2; }

int main(void) {
  int last = 0, n;
  while (scanf("%d", &n) == 1) {
    int a = n, b = n;
    cilk_spawn twice(&a); cilk_spawn twice(&b);
    cilk_sync;
    last = n;
  }
  printf("the last number is %d\n", last);
  return last;
}
