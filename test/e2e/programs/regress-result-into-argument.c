// A spawned function's result goes into the same struct that it got by value. The passed copy has the old value, and the result
// must arrive.
#include "checksum.h"
#include <cilk/cilk.h>

struct Large {
  long a;
  unsigned b;
  float c[8];
};
struct Small {
  long a;
  int b;
};

static struct Large large(long a) {
  struct Large made = {a, 7, {0.5f, 1, 2, 3, 4, 5, 6, 7}};
  return made;
}

static struct Large next(struct Large x, int n) {
  if (n == 0) {
    x.a += 10;
    x.c[3] += 0.25f;
    return x;
  }
  x = cilk_spawn next(x, n - 1); // a parameter
  cilk_sync;
  ++x.b;
  return x;
}

static struct Small next_small(struct Small x, int n) {
  if (n == 0) {
    x.a += 10;
    return x;
  }
  x = cilk_spawn next_small(x, n - 1);
  cilk_sync;
  ++x.b;
  return x;
}

static long elements(int n) {
  struct Large x[3] = {large(n), large(n + 1), large(n + 2)};
  for (int i = 0; i < 3; ++i)
    x[i] = cilk_spawn next(x[i], i);
  cilk_sync;
  struct Large y = x[0];
  y = cilk_spawn next(y, 1); // a local
  cilk_sync;
  return x[0].a + 2 * x[1].a + 3 * x[2].a + 5 * x[2].b + 7 * y.a;
}

int main(void) {
  Checksum sum = 0;
  for (int n = 0; n < 20; ++n) {
    struct Small small = {n, 2};
    small = next_small(small, n % 5);
    struct Large x = next(large(n), n % 7);
    sum = fold(sum, (unsigned long)(x.a + x.b) + (unsigned long)(x.c[3] * 4));
    sum = fold(sum, (unsigned long)(small.a * 3 + small.b));
    sum = fold(sum, (unsigned long)elements(n));
  }
  report("results into arguments", sum);
  return 0;
}
