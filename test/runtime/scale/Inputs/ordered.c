// Four chains of four ordered tasks.
#include <cilk/cilk.h>
#include <stdio.h>

volatile long sink;

static __attribute__((noinline)) void work(int *x) {
  for (int i = 0; i < 100000; ++i)
    sink = i;
  ++*x;
}

static void chains(int *a) {
  for (int k = 0; k < 16; ++k) {
#pragma cilk depend(inout : a[k % 4])
    cilk_spawn work(&a[k % 4]);
  }
  cilk_sync;
}

int main(void) {
  int a[4] = {0};
  chains(a);
  printf("%d %d\n", a[0], a[3]);
  return 0;
}
