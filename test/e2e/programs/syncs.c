// Several syncs in a function: one after the other, in branches, in loops, in two nested loops, with nothing to wait for. Locals
// of all kinds live across them.
#include "checksum.h"
#include <cilk/cilk.h>

static long work(long n) { return n * n + 1; }

static long in_series(long n) {
  long a, b, c;
  double scale = (double)n / 4;
  if (n <= 0)
    return 2;
  cilk_sync; // nothing to wait for
  a = cilk_spawn in_series(n - 1);
  cilk_sync;
  b = cilk_spawn work(a % 1000);
  c = cilk_spawn work(n);
  cilk_sync;
  cilk_sync;
  a = cilk_spawn work((b + c) % 777);
  cilk_sync;
  return a % 100000 + (long)(scale * 4) + b % 10 + c;
}

static long sometimes(long n) {
  long x = 0, y = 0, kept = n * 3;
  if (n <= 1)
    return 1;
  x = cilk_spawn sometimes(n - 1);
  if (n % 2) {
    cilk_sync;
    kept += x;
  }
  y = cilk_spawn sometimes(n - 2);
  if (n % 3 == 0)
    cilk_sync;
  cilk_sync;
  return (x + y + kept) % 1000003;
}

// Every round uses what the round before gave: a and b change places.
static long rounds(long n, long turns) {
  long a = 1, b = n, c = 0, d = 0;
  char label[4] = {'a', 'b', 'c', 'd'};
  if (turns == 0)
    return n;
  for (long i = 0; i < turns; ++i) {
    c = cilk_spawn rounds(a % 50, turns / 2);
    d = cilk_spawn work(b % 50);
    cilk_sync;
    long old = a;
    a = (b + c) % 10007;
    b = (old + d) % 10009;
    label[i % 4] = (char)(label[i % 4] + i);
  }
  return a + 3 * b + label[0] + label[3];
}

static long nested(long n) {
  long sum = 0;
  for (long i = 0; i < n; ++i) {
    long inner[3];
    for (long j = 0; j <= i % 3; ++j) {
      for (long k = 0; k < 3; ++k)
        inner[k] = cilk_spawn work(i + j + k);
      cilk_sync;
      sum += inner[0] + 2 * inner[1] + 3 * inner[2];
      if (sum % 7 == 0)
        break;
    }
    if (i % 4 == 3)
      continue;
    inner[0] = cilk_spawn work(sum % 100);
    cilk_sync;
    sum ^= inner[0];
  }
  return sum;
}

static long no_spawn(long n) {
  long a = n;
  cilk_sync;
  a += 2;
  cilk_sync;
  return a;
}

int main(void) {
  Checksum sum = 0;
  for (long n = 0; n < 16; ++n) {
    sum = fold(sum, (unsigned long)in_series(n));
    sum = fold(sum, (unsigned long)sometimes(n));
    sum = fold(sum, (unsigned long)rounds(n, n / 2));
    sum = fold(sum, (unsigned long)nested(n));
    sum = fold(sum, (unsigned long)no_spawn(n));
  }
  report("syncs", sum);
  return 0;
}
