// Tasks with many parameters: sixteen of mixed types, none at all, and some that are never used.
#include "checksum.h"
#include <cilk/cilk.h>

static long wide(int a, long b, char c, short d, float e, double f, unsigned g, unsigned long h, int *i, const char *j,
                 unsigned char k, long long l, int m, double n, int o, int p) {
  long x, y;
  if (m <= 0)
    return a + b + c + d + (long)(e * 2) + (long)(f * 4) + g + (long)h + *i + j[0] + k + l + (long)n + o * 2 + p * 3;
  x = cilk_spawn wide(p, b + 1, (char)(c + 1), (short)(d - 1), e + 0.5f, f * 0.5, g + 2, h ^ 3, i, j + 1, (unsigned char)(k + 1),
                      l - 4, m - 1, n + 1, a, o);
  y = cilk_spawn wide(o, b % 7, c, d, e, f, g, h, i, j, k, l, m - 2, n, p, a);
  cilk_sync;
  return (x * 5 + y) % 1000003;
}

static int nothing(void) {
  static const int values[3] = {4, 5, 6};
  return values[1];
}

static int without(void) {
  int x = cilk_spawn nothing();
  int y = cilk_spawn nothing();
  cilk_sync;
  return x * y;
}

static int unused(int a, long b, double c, int d) {
  (void)b;
  (void)c;
  if (a == 0)
    return d;
  int x = cilk_spawn unused(a - 1, 3, 4.0, d + 1);
  cilk_sync;
  return x;
}

int main(void) {
  int cell = 11;
  Checksum sum = 0;
  for (int m = 0; m < 14; ++m)
    sum = fold(sum, (unsigned long)wide(1, 2, 3, 4, 5.5f, 6.25, 7, 8, &cell, "letters of a long text", 9, 10, m, 12.75, 13, 14));
  sum = fold(sum, (unsigned)without());
  sum = fold(sum, (unsigned)unused(20, 1, 2.0, 3));
  report("parameters", sum);
  return 0;
}
