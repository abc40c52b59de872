// Counts the ways to put n queens on an n by n board so that none attacks another, with bit masks for the board.
//   queens-bits [n]   n from 1 to 17, by default 11
// Prints the count, compares it with the known count, and prints "ok".
#include <cilk/cilk.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { DefaultN = 11, MaxN = 17 };

static const long known[MaxN + 1] = {1,   1,   0,    0,     2,     10,     4,       40,       92,
                                     352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512, 95815104};

// Returns the solutions below a partial board. Bit c of `columns` is set if column c is taken. `left` and `right` hold
// the columns of the next row that a diagonal attacks. `all` has one bit for each column.
static long queens(unsigned all, unsigned columns, unsigned left, unsigned right) {
  long found[MaxN];
  int children = 0;
  if (columns == all)
    return 1;
  for (unsigned open = all & ~(columns | left | right); open != 0; open &= open - 1) {
    unsigned place = open & (0u - open);
    found[children] = cilk_spawn queens(all, columns | place, (left | place) << 1, (right | place) >> 1);
    ++children;
  }
  cilk_sync;
  long sum = 0;
  for (int i = 0; i < children; ++i)
    sum += found[i];
  return sum;
}

static int parse(const char *text, int low, int high) {
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  if (end == text || *end != '\0' || errno == ERANGE || value < low || value > high) {
    fprintf(stderr, "queens-bits: n must be a whole number from %d to %d, not '%s'\n", low, high, text);
    exit(1);
  }
  return (int)value;
}

int main(int argc, char **argv) {
  if (argc > 2) {
    fprintf(stderr, "usage: queens-bits [n]\n");
    return 1;
  }
  int n = argc > 1 ? parse(argv[1], 1, MaxN) : DefaultN;
  long solutions = queens((1u << n) - 1, 0, 0, 0);
  printf("queens(%d) = %ld\n", n, solutions);
  if (solutions != known[n]) {
    printf("wrong: queens(%d) is %ld\n", n, known[n]);
    return 1;
  }
  printf("ok\n");
  return 0;
}
