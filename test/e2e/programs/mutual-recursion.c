// Three Cilk functions with different signatures that spawn and call one another.
#include "checksum.h"
#include <cilk/cilk.h>

static int even(int n, long weight);
static long odd(long weight, int n, short extra);
static void third(int n, int *out);

static int even(int n, long weight) {
  if (n <= 0)
    return (int)weight;
  long a = cilk_spawn odd(weight + 1, n - 1, (short)n);
  int b = 0;
  cilk_spawn third(n - 2, &b);
  cilk_sync;
  return (int)((a + b) % 100003);
}

static long odd(long weight, int n, short extra) {
  int local[2] = {0, 0};
  if (n <= 0)
    return weight * 2 + extra;
  local[0] = cilk_spawn even(n - 1, weight % 1000);
  cilk_spawn third(n - 3, &local[1]);
  cilk_sync;
  return local[0] + 3L * local[1] + extra;
}

static void third(int n, int *out) {
  if (n <= 0) {
    *out = 9 - n;
    return;
  }
  int mine = 0;
  long other = odd(n, n - 2, 1);
  cilk_spawn third(n - 1, &mine);
  cilk_sync;
  *out = mine + (int)(other % 1009);
}

int main(void) {
  Checksum sum = 0;
  for (int n = -2; n < 15; ++n)
    sum = fold(sum, (unsigned)even(n, n));
  report("mutual recursion", sum);
  return 0;
}
