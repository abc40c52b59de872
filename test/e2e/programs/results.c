// Destinations of a spawn's result: locals, array elements with computed subscripts, struct fields, globals, through pointers, in
// a caller's memory, nowhere. Some have side effects. Also void tasks.
#include "checksum.h"
#include <cilk/cilk.h>

struct Pair {
  char tag;
  int first;
  long second;
  struct {
    short deep[3];
  } inner;
};

static int global_int;
static long global_array[16];
static struct Pair global_pair;

static int twice(int n) { return 2 * n; }
static short low(int n) { return (short)(n * 257); }
static void store(long *at, long value) { *at = value; }

static long locals(int n, struct Pair *out, int *slots) {
  int a = 0, b;
  struct Pair pair = {'x', 1, 2, {{3, 4, 5}}};
  int grid[3][4];
  int *p = &grid[2][0];
  int i = 0;
  a = cilk_spawn twice(n);
  b = cilk_spawn twice(n + 1);
  pair.first = cilk_spawn twice(n + 2);
  pair.second = cilk_spawn twice(n + 3);
  pair.inner.deep[n & 1] = cilk_spawn low(n);
  for (int row = 0; row < 2; ++row)
    for (int column = 0; column < 4; ++column)
      grid[row][column] = cilk_spawn twice(row * 10 + column);
  while (i < 4)
    *p++ = cilk_spawn twice(100 + i++);
  out->first = cilk_spawn twice(n + 4);
  out->inner.deep[2] = cilk_spawn low(n + 1);
  slots[n % 3] = (char)cilk_spawn twice(n + 5);
  *(slots + 3) = cilk_spawn twice(n + 6);
  cilk_spawn twice(n);
  cilk_sync;
  Checksum sum = fold((unsigned)a, (unsigned)b);
  sum = fold(sum, (unsigned)pair.first);
  sum = fold(sum, (unsigned long)pair.second);
  for (int k = 0; k < 3; ++k)
    sum = fold(sum, (unsigned short)pair.inner.deep[k]);
  for (int k = 0; k < 12; ++k)
    sum = fold(sum, (unsigned)grid[k / 4][k % 4]);
  return (long)(sum >> 1) + pair.tag;
}

static void globals(int n) {
  global_int = cilk_spawn twice(n);
  global_pair.second = cilk_spawn twice(n + 1);
  global_pair.inner.deep[1] = cilk_spawn low(n);
  for (int i = 0; i < 16; ++i) {
    if (i % 2)
      global_array[i] = cilk_spawn twice(i + n);
    else
      cilk_spawn store(&global_array[i], i * 3 + n);
  }
}

static long tree(int n, long *slots) { // children fill halves of the caller's memory
  if (n == 1) {
    slots[0] += 5;
    return 1;
  }
  long counts[2];
  counts[0] = cilk_spawn tree(n / 2, slots);
  counts[1] = cilk_spawn tree(n - n / 2, slots + n / 2);
  cilk_sync;
  slots[0] += counts[0];
  return counts[0] + counts[1];
}

int main(void) {
  Checksum sum = 0;
  for (int n = 0; n < 9; ++n) {
    struct Pair pair = {'y', 0, 0, {{0, 0, 0}}};
    int slots[4] = {0, 0, 0, 0};
    sum = fold(sum, (unsigned long)locals(n, &pair, slots));
    sum = fold(sum, (unsigned)pair.first);
    sum = fold(sum, (unsigned short)pair.inner.deep[2]);
    for (int k = 0; k < 4; ++k)
      sum = fold(sum, (unsigned)slots[k]);
    globals(n);
    sum = fold(sum, (unsigned)global_int);
    sum = fold(sum, (unsigned long)global_pair.second);
    sum = fold(sum, (unsigned short)global_pair.inner.deep[1]);
    for (int k = 0; k < 16; ++k)
      sum = fold(sum, (unsigned long)global_array[k]);
  }
  report("destinations", sum);
  long slots[300] = {0};
  sum = fold(0, (unsigned long)tree(300, slots));
  for (int k = 0; k < 300; ++k)
    sum = fold(sum, (unsigned long)slots[k]);
  report("tree", sum);
  return 0;
}
