// Results of 12 bytes, for which calling conventions have types of 16: the bytes behind the destination stay unchanged.
#include <cilk/cilk.h>
#include <stdio.h>

typedef struct {
  int a, b, c;
} Ints;
typedef struct {
  float x, y, z;
} Floats;

static Ints ints(int n) {
  if (n < 1)
    return (Ints){n + 1, n + 2, n + 3};
  Ints x = cilk_spawn ints(n - 1);
  Ints y = cilk_spawn ints(n - 2);
  cilk_sync;
  return (Ints){x.a + y.b, x.b, y.c};
}

static Floats floats(int n, Floats v) {
  if (n < 1)
    return v;
  Floats a = cilk_spawn floats(n - 1, v);
  Floats b = cilk_spawn floats(n - 2, (Floats){v.y, v.z, v.x});
  cilk_sync;
  return (Floats){a.x + b.y, a.y, b.z};
}

static void add(int *p) { *p += 1; }

static int neighbours(int n) {
  Ints s[2];
  s[1].a = n;
  s[0] = cilk_spawn ints(0);
  s[1].b = 3;
  cilk_sync;
  return s[0].a + s[0].b * 10 + s[0].c * 100 + s[1].a * 1000 + s[1].b;
}

static int variables(int n) {
  Floats v;
  int x = n;
  v = cilk_spawn floats(0, (Floats){1, 2, 3});
  cilk_spawn add(&x);
  cilk_sync;
  return x + (int)v.z;
}

int main(void) {
  int r[40], s[40];
  for (int i = 0; i < 40; ++i) {
    r[i] = cilk_spawn neighbours(i);
    s[i] = cilk_spawn variables(i);
  }
  Ints deep = cilk_spawn ints(12);
  Floats far = cilk_spawn floats(9, (Floats){1, 2, 4});
  cilk_sync;
  for (int i = 0; i < 40; ++i)
    printf("%d %d\n", r[i], s[i]);
  printf("%d %d %d %g %g %g\n", deep.a, deep.b, deep.c, far.x, far.y, far.z);
}
