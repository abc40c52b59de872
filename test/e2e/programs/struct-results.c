// Results that are structs, small and large, with members of every kind; some that nobody wants.
#include "checksum.h"
#include <cilk/cilk.h>
#include <stdint.h>

typedef struct {
  long sum;
  double half;
} Two;

typedef struct {
  char tag;
  int32_t count[3];
  short low;
  float real;
  const char *name;
  uint64_t wide;
} Many;

typedef struct {
  unsigned char r, g, b;
} Small;

static Two two(int n) {
  if (n < 2)
    return (Two){n, n * 0.5};
  Two x = cilk_spawn two(n - 1);
  Two y = cilk_spawn two(n - 2);
  cilk_sync;
  return (Two){x.sum + y.sum, x.half - y.half};
}

static Many many(int n) {
  static const char *const names[] = {"even", "odd"};
  Many m = {(char)n, {n, n * 2, n * n}, (short)(n * 999), (float)n / 3, names[n & 1], (uint64_t)n << 40};
  if (n < 2)
    return m;
  Many x = cilk_spawn many(n - 1);
  Many y = cilk_spawn many(n - 2);
  cilk_spawn many(n / 8);
  cilk_sync;
  for (int i = 0; i < 3; ++i)
    m.count[i] = (x.count[i] ^ (y.count[(i + n) % 3] >> 1)) & 0xffff;
  m.tag = (char)(x.tag * 3 + y.tag);
  m.low = (short)(x.low - y.low);
  m.real = x.real * 0.5f + y.real;
  m.name = x.name == names[0] ? y.name : x.name;
  m.wide = x.wide * 3 + y.wide;
  return m;
}

static Small small(int n) {
  if (n == 0)
    return (Small){1, 2, 3};
  Small x = cilk_spawn small(n - 1);
  cilk_sync;
  if (n % 3 == 0)
    return (Small){9, (unsigned char)n, 9};
  return (Small){x.g, x.b, (unsigned char)(x.r + n)};
}

int main(void) {
  Two t = two(15);
  Many m = many(13);
  Small s = small(20);
  report("two", fold((Checksum)t.sum, (Checksum)(t.half * 4)));
  Checksum sum = fold((Checksum)m.tag, (Checksum)m.low);
  for (int i = 0; i < 3; ++i)
    sum = fold(sum, (Checksum)m.count[i]);
  report("many", fold(fold(sum, (Checksum)(m.real * 64)), m.wide ^ (Checksum)m.name[0]));
  report("small", fold((Checksum)(s.r * 256 + s.g), s.b));
  return 0;
}
