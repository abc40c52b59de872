// Several tasks and segments, a loop of spawns: with narrow channels its wavefronts yield.
#include <cilk/cilk.h>
#include <stdio.h>

static void square(long *out, long n) { *out = n * n; }

long sum(long n) {
  long parts[8] = {0};
  for (long i = 0; i < 8 && i < n; ++i)
    cilk_spawn square(&parts[i], n - i);
  cilk_sync;
  long below = 0;
  if (n > 1)
    below = cilk_spawn sum(n / 2);
  cilk_sync;
  for (int i = 0; i < 8; ++i)
    below += parts[i];
  return below;
}

int main(void) {
  long total = 0;
  cilk_for (int i = 0; i < 100; ++i)
    __atomic_fetch_add(&total, sum(i), __ATOMIC_RELAXED);
  printf("total %ld\n", total);
  return 0;
}
