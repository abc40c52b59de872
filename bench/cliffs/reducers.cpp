// Recursions that add to reducers instead of returning results.
#include "Cliff.h"

#include <cilk/opadd_reducer.h>
#include <cilk/reducer_opadd.h>

static cilk::opadd_reducer<long> leaves = 0;

static void fib(long n) {
  if (n < 2) {
    leaves += n;
    return;
  }
  cilk_spawn fib(n - 1);
  fib(n - 2);
}

static long reducedFib(long n) {
  leaves = 0;
  fib(n);
  return leaves;
}

/// A class of Cilk Plus.
static cilk::reducer_opadd<long> solutions;

/// Places queens in the columns that are left. `left` and `right` are the diagonals that are attacked.
static void place(unsigned columns, unsigned left, unsigned right, unsigned all) {
  if (columns == all) {
    solutions += 1;
    return;
  }
  for (unsigned free = all & ~(columns | left | right); free; free &= free - 1) {
    unsigned bit = free & -free;
    cilk_spawn place(columns | bit, (left | bit) << 1, (right | bit) >> 1, all);
  }
}

static long reducedQueens(long n) {
  solutions.set_value(0);
  place(0, 0, 0, (1u << n) - 1);
  return solutions.get_value();
}

int main(int argc, char **argv) {
  const Row rows[] = {{"reduced-fib", reducedFib}, {"reduced-queens", reducedQueens}};
  return runRow(rows, argc, argv);
}
