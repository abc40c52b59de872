// Loops whose variables are integers of odd widths or enumerations, and whose steps wrap around in a wider or an unsigned type.
#include "checksum.h"
#include <cilk/cilk.h>
#include <limits.h>

enum { Count = 4096 };
static int seen[Count];
static void see(long i) { seen[i & (Count - 1)] += (int)(i % 97) + 1; }

enum Colour { Red, Orange, Yellow, Green, Blue, Violet };
enum Signed { Below = -3, Zero, Above = 5 };

static void widths(int n) {
  cilk_for (_BitInt(17) i = 0; i < n; ++i)
    see(i);
  cilk_for (_BitInt(40) i = (_BitInt(40))n << 20; i > 7; i -= (_BitInt(40))1 << 20)
    see((long)(i >> 20));
  cilk_for (unsigned _BitInt(64) i = ULLONG_MAX; i > ULLONG_MAX - n; --i)
    see((long)i);
  _BitInt(9) last = 200;
  cilk_for (signed char i = -100; i < last - 100; i += (_BitInt(5))3)
    see(i);
}

static void enumerations(void) {
  cilk_for (enum Colour c = Red; c <= Violet; ++c)
    see(c);
  cilk_for (enum Colour c = Violet; c > Orange; c -= 2)
    see(c * 3);
  cilk_for (enum Signed s = Below; s != Above; s = s + 1)
    see(s);
}

static void steps(unsigned down, unsigned long far, unsigned char part) {
  cilk_for (int i = 10; i > 0; i += down)
    see(i);
  cilk_for (int i = 0; i < 100; i -= ~0u)
    see(i);
  cilk_for (int i = 90; i != 0; i = i + 3 * down)
    see(i);
  cilk_for (long i = 50; i >= -50; i += far)
    see(i);
  cilk_for (unsigned i = 30; i > 3; i += down)
    see(i);
  cilk_for (unsigned i = 30; i > 3; i += -1)
    see(i);
  cilk_for (int i = 0; i < 2000; i += part)
    see(i);
  cilk_for (int i = INT_MIN; i < 0; i += 3000000000u)
    see(i);
  cilk_for (signed char i = -100; i < 40; i += 150)
    see(i);
}

int main(void) {
  for (int n = 1; n < 300; n += 71)
    widths(n);
  enumerations();
  steps(-1, -7, 200);
  Checksum sum = 0;
  for (int i = 0; i < Count; ++i)
    sum = fold(sum, seen[i]);
  report("integers", sum);
}
