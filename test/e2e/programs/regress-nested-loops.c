// Tests that nested loops run each iteration once, in tasks of any size. The loops are stencils with a loop for each coordinate,
// triangles, loops in recursive tasks, and loops after a sync.
#include <cilk/cilk.h>
#include <stdio.h>

enum { kX = 37, kY = 23, kZ = 5 };
static unsigned cells[2][kZ][kY][kX];
static unsigned char seen[300][300];
static long sums[64];

static void step(int from) {
  cilk_for (int z = 0; z < kZ; z++)
    cilk_for (int y = 0; y < kY; y++)
      cilk_for (int x = 0; x < kX; x++) {
        int west = x ? x - 1 : x, north = y ? y - 1 : y, below = z ? z - 1 : z;
        cells[!from][z][y][x] +=
            cells[from][z][y][west] * 3 + cells[from][z][north][x] * 5 + cells[from][below][y][x] * 7 + x + y + z;
      }
}

static void triangle(int n) {
  cilk_for (int i = 0; i < n; i++)
    cilk_for (int j = i; j < n; j++)
      ++seen[i][j];
}

static void add(long *at, int from, int to) {
  cilk_for (int i = from; i < to; i++)
    __atomic_fetch_add(at, (long)i * i % 11, __ATOMIC_RELAXED);
}

static void split(int from, int to, int depth) {
  if (depth == 0) {
    add(&sums[from % 64], from, to);
    return;
  }
  int middle = from + (to - from) / 3;
  cilk_spawn split(from, middle, depth - 1);
  split(middle, to, depth - 1);
  cilk_sync;
  cilk_for (int i = from; i < middle; i++)
    __atomic_fetch_add(&sums[depth], 1, __ATOMIC_RELAXED);
}

int main(void) {
  for (int i = 0; i < 6; i++)
    step(i % 2);
  triangle(300);
  split(0, 20000, 7);
  const unsigned *cell = (const unsigned *)cells;
  const unsigned char *mark = (const unsigned char *)seen;
  unsigned hash = 1;
  for (int i = 0; i < kZ * kY * kX; i++)
    hash = hash * 31 + cell[i];
  for (int i = 0; i < 300 * 300; i++)
    hash = hash * 31 + mark[i];
  for (int i = 0; i < 64; i++)
    hash = hash * 31 + (unsigned)sums[i];
  printf("%u\n", hash);
  return 0;
}
