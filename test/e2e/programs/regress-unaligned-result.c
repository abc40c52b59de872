// Results in registers that go to destinations with less alignment than the registers' types: packed structs and structs of
// bytes, at odd addresses.
#include "checksum.h"
#include <cilk/cilk.h>

struct Wide {
  unsigned __int128 value;
} __attribute__((packed));

struct Bytes {
  unsigned char c[16];
};

struct Floats {
  float f[4];
} __attribute__((packed));

struct Pair {
  long long a;
  double b;
} __attribute__((packed));

struct All {
  char odd;
  struct Wide wide[3];
  struct Bytes bytes[2];
  struct Floats floats[2];
  struct Pair pair;
} __attribute__((packed));

static struct Wide wide(unsigned n) {
  struct Wide made = {(n + 1) * (unsigned __int128)0x9e3779b97f4a7c15ul};
  if (n == 0)
    return made;
  struct Wide below = cilk_spawn wide(n - 1);
  cilk_sync;
  return below; // a copy from memory to memory
}

static struct Bytes bytes(unsigned n) {
  struct Bytes made;
  for (unsigned i = 0; i < 16; ++i)
    made.c[i] = (unsigned char)(n * i);
  if (n == 0)
    return made;
  struct {
    char odd;
    struct Bytes inner;
  } below;
  below.inner = cilk_spawn bytes(n - 1);
  cilk_sync;
  made.c[3] += below.inner.c[15];
  return made;
}

static struct Floats floats(unsigned n) { return (struct Floats){{(float)n, 1, 2, 3}}; }
static struct Pair pair(unsigned n) { return (struct Pair){n, n * 0.5}; }

static Checksum all(unsigned n) {
  struct All all = {.odd = 1};
  for (unsigned i = 0; i < 3; ++i)
    all.wide[i] = cilk_spawn wide(n + i);
  for (unsigned i = 0; i < 2; ++i) {
    all.bytes[i] = cilk_spawn bytes(n + i);
    all.floats[i] = cilk_spawn floats(n * 2 + i);
  }
  all.pair = cilk_spawn pair(n);
  cilk_sync;
  Checksum sum = (unsigned)all.odd;
  for (unsigned i = 0; i < 3; ++i)
    sum = fold(sum, (unsigned long)(all.wide[i].value ^ (all.wide[i].value >> 64)));
  for (unsigned i = 0; i < 2; ++i)
    sum = fold(sum, all.bytes[i].c[3] + 256u * all.bytes[i].c[1] + 65536u * (unsigned)all.floats[i].f[0]);
  return fold(sum, (unsigned long)(all.pair.a + (long long)(all.pair.b * 4)));
}

int main(void) {
  Checksum sum = 0;
  for (unsigned n = 0; n < 12; ++n)
    sum = fold(sum, all(n));
  report("unaligned results", sum);
  return 0;
}
