// 128-bit integers as parameters, results, locals that live across a sync, and operands of a switch; and long double.
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

// In a task, and in an ordinary function that becomes part of one.
static long chosen(Wide value, int n) {
  if (n < 1)
    return (long)value & 7;
  long a = cilk_spawn chosen(value + 1, n - 1);
  cilk_sync;
  switch (value) {
  case (Wide)3 << 70:
  case (Wide)4 << 70:
    return a + 1;
  case 0:
    return a * 2;
  case 2:
    a += 5;
    break;
  case (Wide)-1:
    return a * 3;
  }
  return a + 7;
}
static long choosing(__int128 value, int n) {
  switch (value) {
  case (__int128)5 << 66:
    return chosen((Wide)value, n) + 1;
  case -3:
    return chosen(2, n) * 3;
  default:
    return chosen((Wide)value, n);
  }
}
static long choices(int n) {
  long a = cilk_spawn choosing(n - 5, 1);
  long b = cilk_spawn choosing((__int128)n << 66, 1);
  long c = cilk_spawn chosen((Wide)n << 70, 1);
  long d = choosing(-n, 1);
  cilk_sync;
  return a + b * 10 + c * 100 + d * 1000;
}

int main(void) {
  Checksum sum = 0;
  for (int n = 0; n < 13; ++n) {
    Wide value = powers(n, (Wide)1 << 70);
    sum = fold(sum, (unsigned long)value);
    sum = fold(sum, (unsigned long)(value >> 64));
    sum = fold(sum, (unsigned long)(sums(n, 3) * 1024));
    sum = fold(sum, (unsigned long)choices(n));
  }
  report("128 bits", sum);
  return 0;
}
