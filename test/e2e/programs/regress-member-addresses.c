// Addresses of members of array elements that live across spawns at which lanes wait for space. The array is in the frame, not on
// a stack that is gone. The program keeps the address, or the compiler for an element that is passed by value.
#include <cilk/cilk.h>
#include <stdio.h>

struct Pair {
  int a, b;
};
struct Inner {
  long values[4];
};
struct Outer {
  int before;
  struct Inner in;
};

static int out[3000];

static void set(int *place, int n) { *place = n; }
static int triple(int n) { return n < 1 ? 1 : n * 3; }
static long sum(struct Inner in) { return in.values[0] + in.values[1] + in.values[2] + in.values[3]; }

static int counts(int i) {
  struct Pair e[4] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
  int *p = &e[i & 3].b;
  for (int k = 0; k < 3000; ++k) {
    cilk_spawn set(&out[k], k);
    ++*p;
  }
  return e[0].b + e[1].b + e[2].b + e[3].b;
}

static int keeps(int i, int n) {
  struct Pair e[4] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
  int *p = &e[i & 3].b;
  int x = cilk_spawn triple(n);
  *p = n;
  int y = cilk_spawn triple(n + 1);
  *p += 5;
  int z = cilk_spawn triple(n + 2);
  int s = e[0].b + 10 * e[1].b + 100 * e[2].b + 1000 * e[3].b;
  cilk_sync;
  return s + x + y + z;
}

static long passes(int i) {
  struct Outer e[3] = {{1, {{2, 3, 4, 5}}}, {6, {{7, 8, 9, 10}}}, {11, {{12, 13, 14, 15}}}};
  long x = cilk_spawn sum(e[i % 3].in);
  e[i % 3].in.values[1] += i;
  long y = cilk_spawn sum(e[(i + 1) % 3].in);
  long z = cilk_spawn sum(e[i % 3].in);
  cilk_sync;
  return x + 100 * y + 10000 * z;
}

int main(int argc, char **argv) {
  int r[40];
  long s[40];
  (void)argv;
  printf("%d\n", counts(argc));
  for (int i = 0; i < 40; ++i) {
    r[i] = cilk_spawn keeps(i, i);
    s[i] = cilk_spawn passes(i);
  }
  cilk_sync;
  for (int i = 0; i < 40; ++i)
    printf("%d %ld\n", r[i], s[i]);
}
