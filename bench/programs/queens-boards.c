// Counts the solutions of the n queens problem with boards of bytes that are passed by value, without a cut-off. Each
// safe partial placement is a task.
//   queens-boards [n]   n from 1 to 16, by default 13
#include "../Spawn.h"
#include "Queens.h"

#ifndef BENCH_CUTOFF
#define BENCH_CUTOFF 0 // placements with fewer free rows than this spawn nothing
#endif

typedef struct {
  char column[MaxQueens]; // column of the queen in each row
} Board;

// Returns whether no queen in the first `rows` rows attacks another queen. It checks all pairs, as Cilk's first nqueens
// did.
static int is_safe(const Board *board, int rows) {
  for (int upper = 0; upper < rows; ++upper)
    for (int lower = upper + 1; lower < rows; ++lower) {
      int distance = board->column[lower] - board->column[upper];
      if (distance == 0 || distance == lower - upper || distance == upper - lower)
        return 0;
    }
  return 1;
}

static long queens_serial(int n, int row, Board board) {
  long sum = 0;
  if (row == n)
    return 1;
  for (int column = 0; column < n; ++column) {
    board.column[row] = (char)column;
    if (is_safe(&board, row + 1))
      sum += queens_serial(n, row + 1, board);
  }
  return sum;
}

// Returns the solutions that begin with the queens in the first `row` rows of the board.
static long queens(int n, int row, Board board) {
  long found[MaxQueens];
  int children = 0;
  if (row == n)
    return 1;
  if (n - row < BENCH_CUTOFF)
    return queens_serial(n, row, board);
  GROUP;
  for (int column = 0; column < n; ++column) {
    board.column[row] = (char)column;
    if (is_safe(&board, row + 1)) {
      SPAWN(found[children], queens, n, row + 1, board);
      ++children;
    }
  }
  SYNC;
  long sum = 0;
  for (int i = 0; i < children; ++i)
    sum += found[i];
  return sum;
}

int main(int argc, char **argv) {
  int n = (int)bench_size(argc, argv, 13, 1, MaxQueens);
  Board empty = {{0}};
  long solutions;
  RUN(solutions, queens, n, 0, empty);
  printf("queens(%d) = %ld\n", n, solutions);
  return bench_verdict(solutions == known_queens[n]);
}
