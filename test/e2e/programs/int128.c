// 128-bit integers as parameters, results and locals that live across a sync; and long double.
#include "checksum.h"
#include <cilk/cilk.h>

typedef unsigned __int128 Wide;

static Wide powers(int n, Wide seed) {
  if (n <= 1)
    return seed * 0x9e3779b97f4a7c15u + (Wide)n;
  Wide kept = seed << 3;
  Wide x = cilk_spawn powers(n - 1, seed + 1);
  Wide y = cilk_spawn powers(n - 2, seed ^ kept);
  cilk_sync;
  return x * 3 + y * kept + 1;
}

static long double sums(int n, long double seed) {
  if (n <= 1)
    return seed / 2;
  long double x = cilk_spawn sums(n - 1, seed + 1);
  long double y = cilk_spawn sums(n - 2, seed);
  cilk_sync;
  return x + y * 0.5L;
}

int main(void) {
  Checksum sum = 0;
  for (int n = 0; n < 13; ++n) {
    Wide value = powers(n, (Wide)1 << 70);
    sum = fold(sum, (unsigned long)value);
    sum = fold(sum, (unsigned long)(value >> 64));
    sum = fold(sum, (unsigned long)(sums(n, 3) * 1024));
  }
  report("128 bits", sum);
  return 0;
}
