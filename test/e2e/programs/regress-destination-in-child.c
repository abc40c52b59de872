// A spawned function gets the address of its result's variable: until it returns, it finds the old value
// there.
#include "checksum.h"
#include <cilk/cilk.h>

static long leaves(int n, const long *p) {
  if (n < 2)
    return *p + n;
  long a = cilk_spawn leaves(n - 1, p), b = cilk_spawn leaves(n - 2, p);
  cilk_sync;
  return a + b;
}

static long itself(int n) {
  long x = 7;
  x = cilk_spawn leaves(n, &x);
  cilk_sync;
  return x * 3;
}

static long element(int n) {
  long x[3] = {n, 5, 11};
  x[1] = cilk_spawn leaves(n, x + 1);
  cilk_sync;
  x[2] = cilk_spawn leaves(n / 2, x + 2);
  cilk_sync;
  return x[0] + 3 * x[1] - 5 * x[2];
}

struct box {
  const long *where;
  int n;
};

static long boxed_leaves(int n, const struct box *box) {
  if (n < 2)
    return *box->where ^ box->n;
  long a = cilk_spawn boxed_leaves(n - 1, box), b = cilk_spawn boxed_leaves(n - 2, box);
  cilk_sync;
  return a ^ b;
}

static long boxed(int n) {
  long x = n + 40;
  struct box box = {&x, n};
  x = cilk_spawn boxed_leaves(n, &box);
  cilk_sync;
  return x * 3;
}

/* One variable for several results, one after the other: nobody else knows it. */
static long reused(int n) {
  const long three = 3;
  long x = n, y = 0;
  for (int i = 0; i < 3; ++i) {
    x = cilk_spawn leaves(n, &three);
    cilk_sync;
    y = 5 * y + x;
  }
  return y;
}

int main(void) {
  Checksum sum = 0;
  for (int n = 0; n < 13; ++n) {
    sum = fold(sum, (unsigned long)itself(n));
    sum = fold(sum, (unsigned long)element(n));
    sum = fold(sum, (unsigned long)boxed(n));
    sum = fold(sum, (unsigned long)reused(n));
  }
  report("destinations in children", sum);
  return 0;
}
