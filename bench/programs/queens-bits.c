// Counts the solutions of the n queens problem with bit masks, without a cut-off. Each safe partial placement is a
// task; results go to an array.
//   queens-bits [n]   n from 1 to 16, by default 13
#include "../Spawn.h"
#include "Queens.h"

#ifndef BENCH_CUTOFF
#define BENCH_CUTOFF 0 // placements with fewer free rows than this spawn nothing
#endif

static long queens_serial(unsigned all, unsigned columns, unsigned left, unsigned right) {
  long sum = 0;
  if (columns == all)
    return 1;
  for (unsigned open = all & ~(columns | left | right); open != 0; open &= open - 1) {
    unsigned place = open & (0u - open);
    sum += queens_serial(all, columns | place, (left | place) << 1, (right | place) >> 1);
  }
  return sum;
}

// Returns the solutions below a partial board. Bit c of `columns` is set if column c is taken. `left` and `right` are
// the columns of the next row that a diagonal attacks. `all` has one bit for each column.
static long queens(unsigned all, unsigned columns, unsigned left, unsigned right) {
  long found[MaxQueens];
  int children = 0;
  if (columns == all)
    return 1;
  if (BENCH_CUTOFF > 0 && __builtin_popcount(all & ~columns) < BENCH_CUTOFF)
    return queens_serial(all, columns, left, right);
  GROUP;
  for (unsigned open = all & ~(columns | left | right); open != 0; open &= open - 1) {
    unsigned place = open & (0u - open);
    SPAWN(found[children], queens, all, columns | place, (left | place) << 1, (right | place) >> 1);
    ++children;
  }
  SYNC;
  long sum = 0;
  for (int i = 0; i < children; ++i)
    sum += found[i];
  return sum;
}

int main(int argc, char **argv) {
  int n = (int)bench_size(argc, argv, 13, 1, MaxQueens);
  long solutions;
  RUN(solutions, queens, (1u << n) - 1, 0u, 0u, 0u);
  printf("queens(%d) = %ld\n", n, solutions);
  return bench_verdict(solutions == known_queens[n]);
}
