// The second translation unit: see main.c.
#include "shared.h"
#include <cilk/cilk.h>

static long helper(long n) {
  if (n == 0)
    return 4;
  long x = cilk_spawn helper(n / 2);
  cilk_sync;
  return x * 5 % 97;
}

int plain_in_other_file(int n) { return n * 11 + 2; }

long pong(int n, const struct Range *range) {
  __atomic_fetch_add(&shared_total, 1, __ATOMIC_RELAXED);
  if (n <= 0)
    return range->weight;
  struct Range copy = *range;
  copy.high += n;
  long a = cilk_spawn ping(n - 1, copy);
  copy.low -= 2;
  long b = ping(n - 3, copy);
  long c = cilk_spawn helper(n);
  cilk_sync;
  return (a + b * 2 + c) % 1000003;
}
