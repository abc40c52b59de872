// Local arrays of several sizes and dimensions. They are copied from the parent's, filled in loops, indexed by values that differ
// from lane to lane, and alive across syncs.
#include "checksum.h"
#include <cilk/cilk.h>
#include <string.h>

// All permutations of n values with a weight on each: every child copies the parent's array and swaps two elements.
static long permutations(int n, int at, int swap, const unsigned char *from) {
  unsigned char order[8];
  long found[8];
  memcpy(order, from, 8);
  unsigned char moved = order[at];
  order[at] = order[swap];
  order[swap] = moved;
  if (at == n - 1) {
    long weight = 0;
    for (int i = 0; i < n; ++i)
      weight = weight * 5 + order[i] * (i + 1);
    return weight % 10007;
  }
  for (int i = at + 1; i < n; ++i)
    found[i] = cilk_spawn permutations(n, at + 1, i, order);
  cilk_sync;
  long sum = order[at];
  for (int i = at + 1; i < n; ++i)
    sum = (sum * 3 + found[i]) % 1000003;
  return sum;
}

static int cell(int row, int column) { return row * 7 - column * 3; }

static long grids(int n) {
  int grid[5][6];
  short histogram[16] = {0};
  long totals[5];
  for (int row = 0; row < 5; ++row)
    for (int column = 0; column < 6; ++column)
      grid[row][column] = cilk_spawn cell(row + n, column);
  cilk_sync;
  for (int row = 0; row < 5; ++row) {
    totals[row] = 0;
    for (int column = 0; column < 6; ++column) {
      histogram[(unsigned)grid[row][column] % 16] += 1;
      totals[row] += grid[row][column] * (column + 1);
    }
  }
  if (n > 0) {
    totals[n % 5] = cilk_spawn grids(n - 1);
    totals[(n + 1) % 5] = cilk_spawn grids(n / 2);
  }
  cilk_sync;
  Checksum sum = 0;
  for (int i = 0; i < 16; ++i)
    sum = fold(sum, (unsigned short)histogram[i]);
  for (int i = 0; i < 5; ++i)
    sum = fold(sum, (unsigned long)totals[i]);
  return (long)(sum >> 40);
}

static unsigned large(int n) { // frames of 4 KiB
  unsigned table[1024];
  if (n == 0)
    return 17;
  for (unsigned i = 0; i < 1024; ++i)
    table[i] = i * (unsigned)n;
  unsigned a = cilk_spawn large(n - 1);
  unsigned b = cilk_spawn large(n / 3);
  cilk_sync;
  return table[a % 1024] * 3 + table[b % 1024] + a;
}

int main(void) {
  static const unsigned char start[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  Checksum sum = 0;
  for (int n = 2; n < 9; ++n)
    sum = fold(sum, (unsigned long)permutations(n, 0, 0, start));
  for (int n = 0; n < 12; ++n) {
    sum = fold(sum, (unsigned long)grids(n));
    sum = fold(sum, large(n));
  }
  report("local arrays", sum);
  return 0;
}
