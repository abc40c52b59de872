// A child gets a struct by value, and an address in the original: a store to this address does not change its copy.
#include "checksum.h"
#include <cilk/cilk.h>

struct Four {
  long a[4];
};

static long stores_first(struct Four s, struct Four *p, int n) {
  if (n == 0) {
    p->a[0] = 100;
    return s.a[0];
  }
  struct Four m = {{n, n + 1, n + 2, n + 3}};
  long x = cilk_spawn stores_first(m, &m, n - 1);
  cilk_sync;
  return x * 2 + m.a[0] + s.a[1];
}

static long reads_first(struct Four s, struct Four *p, int n) {
  if (n == 0) {
    p->a[1] = s.a[1] + 100;
    return n;
  }
  struct Four m = {{n, n + 1, n + 2, n + 3}};
  long x = cilk_spawn reads_first(m, &m, n - 1);
  cilk_sync;
  return x * 2 + m.a[1] + s.a[1];
}

static long chooses(struct Four s, struct Four *p, int n, int which) {
  if (n == 0) {
    struct Four *to = which ? p : &s;
    to->a[2] = 50;
    return s.a[2] * 3;
  }
  struct Four m = {{n, n + 1, n + 2, n + 3}};
  long x = cilk_spawn chooses(m, &m, n - 1, which);
  cilk_sync;
  return x * 2 + m.a[2];
}

int main(void) {
  Checksum sum = 0;
  for (int n = 0; n < 12; ++n) {
    struct Four t = {{n, 2, 3, 4}};
    sum = fold(sum, (unsigned long)stores_first(t, &t, n));
    sum = fold(sum, (unsigned long)reads_first(t, &t, n));
    sum = fold(sum, (unsigned long)chooses(t, &t, n, n % 2));
    sum = fold(sum, (unsigned long)t.a[0]);
  }
  report("copies and stores", sum);
  return 0;
}
