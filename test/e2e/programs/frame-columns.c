// Values that tasks keep across their syncs, in frames that lie by field: scalars of all widths, and small structs that children
// write member by member. Counters of loops stand around a sync, and there are several segments. Some tasks take a frame only
// sometimes, so that lanes' frames do not follow one another.
#include <stdint.h>
#include <stdio.h>

// One field of each width lives across both syncs, and changes between them.
static double widths(int n, int8_t a, uint16_t b, float c, _Bool d) {
  if (n < 2)
    return n + a * 0.5 + b + c + d;
  int8_t e = (int8_t)(a + n);
  uint16_t f = (uint16_t)(b * 3 + n);
  float g = c * 0.5f + n;
  _Bool h = !d;
  double x = cilk_spawn widths(n - 1, e, b, c, h);
  float y = cilk_spawn widths(n - 2, a, f, g, d);
  cilk_sync;
  e = (int8_t)(e * 5 + (int)x % 7);
  f = (uint16_t)(f ^ (unsigned)n);
  h = h ^ (e > 0);
  double z = cilk_spawn widths(n - 3, e, f, c, h);
  cilk_sync;
  return x - y * 0.25 + z + e + f * 0.125 + g + h;
}

// A field of eight bytes that children write in parts, and a field of four bytes beside it.
struct pair {
  int low;
  short high;
};

static void parts(int n, struct pair *to) {
  if (n < 2) {
    to->low = n;
    to->high = (short)(n * 7);
    return;
  }
  struct pair left, right;
  int own = n * 3;
  cilk_spawn parts(n - 1, &left);
  parts(n - 2, &right);
  cilk_sync;
  to->low = left.low - right.low + own;
  to->high = (short)(left.high + right.high * 3);
}

// A sync in a loop; a third of the tasks take no frame.
static unsigned rounds(unsigned n, unsigned seed) {
  if (n == 0 || seed % 3 == 1)
    return seed;
  unsigned sum = seed;
  for (unsigned i = 0; i < 3; ++i) {
    unsigned short one = (unsigned short)(sum * 7 + i);
    unsigned x = cilk_spawn rounds(n - 1, seed * 5 + i), y = cilk_spawn rounds(n - 1, sum ^ one);
    cilk_sync;
    sum = sum * 31 + (x ^ (y >> i)) + one;
  }
  return sum;
}

// Some post-sync lanes divide, others do not.
static long divide(int n, long d) {
  if (n < 2)
    return n + 1;
  long x = cilk_spawn divide(n - 1, d + 1), y = divide(n - 2, d - 1);
  cilk_sync;
  return d % 3 ? x / (d | 1) + y : x * 3 - y;
}

int main(void) {
  for (int n = 0; n < 13; ++n)
    printf("%d %a\n", n, widths(n, (int8_t)n, (uint16_t)(n * 999), n * 0.75f, n & 1));
  for (int n = 0; n < 16; ++n) {
    struct pair to;
    parts(n, &to);
    printf("%d %d %d\n", n, to.low, to.high);
  }
  for (unsigned n = 0; n < 6; ++n)
    printf("%u %u\n", n, rounds(n, n * 11));
  for (int n = 0; n < 16; ++n)
    printf("%d %ld\n", n, divide(n, n));
}
