// Results that are structs, small and large, with members of every kind; some are not used.
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

// Members in vector registers, with padding behind the last member, into destinations that are not aligned.
typedef struct {
  float x, y, z;
} Place;
typedef struct {
  int first, second;
  short third;
} Padded;
struct __attribute__((packed)) Row {
  char mark;
  Place place;
  Padded padded;
  Two two;
};

static Place place(int n) {
  if (n < 2)
    return (Place){n, n + 0.5f, n - 0.25f};
  Place a = cilk_spawn place(n - 1);
  Place b = cilk_spawn place(n - 2);
  cilk_sync;
  return (Place){a.y + b.z, a.z * 0.5f - b.x, a.x + b.y};
}

static Padded padded(int n) {
  if (n < 2)
    return (Padded){n, -n, (short)(n + 7)};
  Padded both[2];
  for (int i = 0; i < 2; ++i)
    both[i] = cilk_spawn padded(n - 1 - i);
  cilk_sync;
  return (Padded){both[0].second ^ both[1].third, both[0].first + both[1].first, (short)(both[0].third * 3 + n)};
}

static void rows(struct Row *row, int n) {
  for (int i = 0; i < n; ++i) {
    row[i].place = cilk_spawn place(i % 7);
    row[i].padded = cilk_spawn padded(i % 9);
    row[i].two = cilk_spawn two(i % 6);
    row[i].mark = (char)i;
  }
  cilk_sync;
}

static Checksum check_rows(void) {
  struct Row table[40];
  rows(table, 40);
  Checksum sum = 0;
  for (int i = 0; i < 40; ++i) {
    const struct Row *r = &table[i];
    sum = fold(sum, (Checksum)(r->place.x * 16 + r->place.y * 64 + r->place.z * 256));
    sum = fold(sum, (Checksum)(r->padded.first * 31 + r->padded.second * 7 + r->padded.third + r->mark));
    sum = fold(sum, (Checksum)r->two.sum + (Checksum)(r->two.half * 4));
  }
  return sum;
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
  report("rows", check_rows());
  report("small", fold((Checksum)(s.r * 256 + s.g), s.b));
  return 0;
}
