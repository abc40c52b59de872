// Structs that tasks keep across their syncs, in frames that lie by field. Results have one to eight words or more, padding, and
// members of all widths. Children write them whole, in parts, through a pointer, or not at all.
#include <complex.h>
#include <stdint.h>
#include <stdio.h>

struct two {
  long a, b;
};

static struct two two(int n) {
  if (n < 2)
    return (struct two){n, 1};
  struct two x = cilk_spawn two(n - 1);
  struct two y = two(n - 2);
  cilk_sync;
  return (struct two){x.a + y.a, x.b + y.b * 3 + n};
}

// On x86-64, it is passed in memory.
struct three {
  double a, b, c;
};

static struct three three(int n) {
  struct three r;
  if (n < 2) {
    r.a = n;
    r.b = 1.5;
    r.c = n * 0.25;
    return r;
  }
  struct three x, y;
  x = cilk_spawn three(n - 1);
  y = cilk_spawn three(n - 2);
  cilk_sync;
  r.a = x.a + y.b;
  r.b = x.b - y.a * 0.5;
  r.c = x.c * 0.5 + y.c;
  return r;
}

static struct three global;

// The child also sees its destination through a pointer: it is written when the child has returned.
static struct three seen(int n, const struct three *to) {
  struct three r = {to->a + n, 0, 0};
  r.b = to->a * 2;
  r.c = to->b + to->c;
  if (n > 2) {
    struct three other;
    other.a = n, other.b = 2, other.c = 3;
    other = cilk_spawn seen(n - 1, &other);
    cilk_sync;
    r.c += other.a - other.b + other.c;
  }
  return r;
}

static struct three seen_global(int n) {
  struct three r = {global.b, global.c + n, global.a};
  return r;
}

// Padding at the end, and members of all widths.
struct padded {
  long a;
  int b;
};

static struct padded padded(int n) {
  if (n < 2)
    return (struct padded){n, 1};
  struct padded x = cilk_spawn padded(n - 1), y;
  y = cilk_spawn padded(n - 2);
  cilk_sync;
  return (struct padded){x.a + y.a, (x.b > y.b ? x.b : y.b) + 1};
}

struct narrow {
  int8_t a;
  uint16_t b;
  _Bool c;
  float d;
  int8_t e[3];
  uint32_t f;
};

static struct narrow narrow(int n) {
  struct narrow r = {(int8_t)n, (uint16_t)(n * 321), n & 1, n * 0.5f, {1, 2, (int8_t)n}, (uint32_t)n * 12345};
  if (n < 3)
    return r;
  struct narrow x = cilk_spawn narrow(n - 1), y = narrow(n - 3);
  cilk_sync;
  r.a = (int8_t)(x.a * 3 + y.e[2]);
  r.b = (uint16_t)(x.b ^ y.b);
  r.c = x.c != y.c;
  r.d = x.d * 0.25f + y.d;
  r.e[n % 3] = (int8_t)(x.e[1] + y.e[0] + r.a);
  r.f = x.f * 31 + y.f;
  return r;
}

// Consecutive words, some of which a child writes. The data behind them does not fit into a cache line.
#define WORDS(N)                                                                                                       \
  struct words##N {                                                                                                    \
    long w[N];                                                                                                         \
  };                                                                                                                   \
  static struct words##N words##N(int n) {                                                                             \
    struct words##N r;                                                                                                 \
    for (int i = 0; i < N; ++i)                                                                                        \
      r.w[i] = n * (i + 1);                                                                                            \
    if (n < 2)                                                                                                         \
      return r;                                                                                                        \
    struct words##N x = r, y = r;                                                                                      \
    if (n % 4 != 1)                                                                                                    \
      x = cilk_spawn words##N(n - 1);                                                                                  \
    y = cilk_spawn words##N(n - 2);                                                                                    \
    cilk_sync;                                                                                                         \
    for (int i = 0; i < N; ++i)                                                                                        \
      r.w[i] = x.w[i] + 3 * y.w[N - 1 - i] - n;                                                                        \
    return r;                                                                                                          \
  }
WORDS(1)
WORDS(3)
WORDS(4)
WORDS(5)
WORDS(7)
WORDS(8)
WORDS(9)

// No result, and no part of a word that lives across the sync.
static void through(int n, struct two *to) {
  struct two x = {n, -n}, y = {1, 2};
  if (n < 2) {
    to->b = n;
    return;
  }
  cilk_spawn through(n - 1, &x);
  cilk_spawn through(n - 2, &y);
  cilk_sync;
  to->a += x.a * 3 + y.b;
  to->b -= x.b + y.a;
}

// The task's own struct, by value, which changes between the segments; one in three tasks takes no frame.
static double own(unsigned n, struct three s, unsigned seed) {
  if (n == 0 || seed % 3 == 1)
    return s.a + s.b * 0.5 - s.c;
  struct three t = s;
  t.a += n;
  double x = cilk_spawn own(n - 1, t, seed * 5 + 1);
  double y = cilk_spawn own(n - 1, s, seed * 7 + 3);
  s.b = t.a;
  cilk_sync;
  t.c = x - s.b;
  double z = cilk_spawn own(n / 2, t, seed + 2);
  cilk_sync;
  return (x + y * 0.5 + z * 0.25 + t.a - s.c) * 0.125;
}

static double _Complex spin(int n) {
  if (n < 2)
    return n + 0.5 * I;
  double _Complex x = cilk_spawn spin(n - 1), y = spin(n - 2);
  cilk_sync;
  return x * 0.5 - y * (0.25 * I);
}

// Results go to elements of an array of structs, and to one of several variables.
static struct two chosen(int n, unsigned seed) {
  struct two r[4] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}}, s = {n, 9};
  if (n < 2)
    return s;
  struct two *to = seed % 3 ? &r[seed % 4] : &s;
  *to = cilk_spawn chosen(n - 1, seed * 5 + 1);
  struct two last = cilk_spawn chosen(n - 2, seed * 3 + 2);
  cilk_sync;
  s.a += r[0].a - r[1].b + r[2].a * 3 + r[3].b + last.b;
  s.b ^= r[1].a + last.a;
  return s;
}

int main(void) {
  for (int n = 0; n < 15; ++n) {
    struct two a = two(n);
    struct three b = three(n);
    struct padded c = padded(n);
    struct narrow d = narrow(n);
    struct two e = {n, 7}, f = chosen(n, (unsigned)n * 11);
    through(n, &e);
    double _Complex g = spin(n);
    printf("%d %ld %ld %a %a %a %ld %d\n", n, a.a, a.b, b.a, b.b, b.c, c.a, c.b);
    printf("  %d %d %d %a %d %d %d %u %ld %ld %ld %ld %a %a\n", d.a, d.b, d.c, d.d, d.e[0], d.e[1], d.e[2], d.f, e.a, e.b,
           f.a, f.b, creal(g), cimag(g));
  }
  for (int n = 0; n < 12; ++n)
    printf("%ld %ld %ld %ld %ld %ld %ld\n", words1(n).w[0], words3(n).w[2], words4(n).w[1], words5(n).w[3], words7(n).w[6],
           words8(n).w[5], words9(n).w[8]);
  for (unsigned n = 0; n < 8; ++n)
    printf("%u %a\n", n, own(n, (struct three){n, 1.5, 0.25}, n * 7 + 2));
  for (int n = 0; n < 6; ++n) {
    struct three x = {n, 2, 3};
    x = cilk_spawn seen(n, &x);
    cilk_sync;
    global.a = n, global.b = x.b, global.c = 1;
    global = cilk_spawn seen_global(n);
    cilk_sync;
    printf("%a %a %a %a %a %a\n", x.a, x.b, x.c, global.a, global.b, global.c);
  }
  return 0;
}
