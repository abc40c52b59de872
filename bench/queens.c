// Counts the solutions of the n queens problem with bit masks, without a cut-off: one task for each safe partial
// placement; prints the count.
#include "spawn.h"
#include <stdio.h>
#include <stdlib.h>

enum { MaxN = 17 };

static long queens(unsigned all, unsigned columns, unsigned left, unsigned right) {
  long found[MaxN];
  int children = 0;
  if (columns == all)
    return 1;
  for (unsigned open = all & ~(columns | left | right); open != 0; open &= open - 1) {
    unsigned place = open & (0u - open);
    int child = children++;
    SPAWN(found, found[child], queens(all, columns | place, (left | place) << 1, (right | place) >> 1));
  }
  SYNC;
  long sum = 0;
  for (int i = 0; i < children; ++i)
    sum += found[i];
  return sum;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 12;
  long result;
  RUN(result, queens((1u << n) - 1, 0, 0, 0));
  printf("%ld\n", result);
  return 0;
}
