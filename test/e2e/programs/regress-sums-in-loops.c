// A loop sums up the spawned results in an array, and does more: it adds terms of its own, of several kinds, and sums two arrays
// at once.
#include "checksum.h"
#include <cilk/cilk.h>

static const long weights[] = {3, 5, 9, 12};

static long size(int n) {
  long r[3];
  int k = 0;
  for (int i = 1; i <= 3 && i <= n; ++i) {
    r[k] = cilk_spawn size(n - i);
    ++k;
  }
  cilk_sync;
  long s = 1;
  for (int i = 0; i < k; ++i)
    s += r[i] + 1;
  return s;
}

static long mixed(int n, const long *w) {
  long r[4];
  int k = 0;
  for (int i = 1; i <= 4 && i <= n; ++i)
    r[k++] = cilk_spawn mixed(n - i, w);
  cilk_sync;
  long s = n;
  for (int i = 0; i < k; ++i)
    s ^= r[i] ^ w[i] ^ i * n;
  return s;
}

static long conditional(int n, const long *w) {
  long r[3];
  int k = 0;
  for (int i = 1; i <= 3 && i < n; ++i) {
    r[k] = cilk_spawn conditional(n - i, w);
    ++k;
  }
  cilk_sync;
  long s = n;
  for (int i = 0; i < k; ++i)
    s += r[i] + (w[i] > n ? w[i] : 0);
  return s;
}

static int most(int n, const long *w) {
  int r[3], k = 0;
  for (int i = 1; i <= 3 && i < n; ++i) {
    r[k] = cilk_spawn most(n - i, w);
    ++k;
  }
  cilk_sync;
  int s = n % 5;
  for (int i = 0; i < k; ++i) {
    int own = (int)w[i] * (n % 3);
    s = s > r[i] ? s : r[i];
    s = s > own ? s : own;
  }
  return s;
}

static long two(int n) {
  long r[3], q[3];
  int k = 0;
  for (int i = 1; i <= 3 && i < n; ++i) {
    r[k] = cilk_spawn two(n - i);
    q[k] = cilk_spawn two(n - i - 1);
    ++k;
  }
  cilk_sync;
  long s = 1;
  for (int i = 0; i < k; ++i)
    s += r[i] + q[i];
  return s;
}

static long two_and_more(int n, const long *w) {
  long r[3], q[3];
  int k = 0;
  for (int i = 1; i <= 3 && i < n; ++i) {
    r[k] = cilk_spawn two_and_more(n - i, w);
    q[k] = cilk_spawn two_and_more(n - 2 * i, w);
    ++k;
  }
  cilk_sync;
  long s = 1;
  for (int i = 0; i < k; ++i)
    s += r[i] + q[i] - w[i];
  return s;
}

int main(void) {
  Checksum sum = 0;
  for (int n = 0; n < 10; ++n) {
    sum = fold(sum, (unsigned long)size(n));
    sum = fold(sum, (unsigned long)mixed(n, weights));
    sum = fold(sum, (unsigned long)conditional(n, weights));
    sum = fold(sum, (unsigned long)most(n, weights));
    sum = fold(sum, (unsigned long)two(n));
    sum = fold(sum, (unsigned long)two_and_more(n, weights));
  }
  report("sums in loops", sum);
  return 0;
}
