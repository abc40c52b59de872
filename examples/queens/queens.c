// Counts the ways to put n queens on an n by n board so that none attacks another, with a board of bytes.
//   queens [n]   n from 1 to 17, by default 10
// Prints the count, compares it with the known count, and prints "ok".
//
// A task gets a pointer to its parent's board. That board lives in the parent's frame and stays unchanged while the
// children run. The task copies the rows above into a board of its own and adds one queen.
#include <cilk/cilk.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DefaultN = 10, MaxN = 17 };

static const long known[MaxN + 1] = {1,   1,   0,    0,     2,     10,     4,       40,       92,
                                     352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512, 95815104};

// Returns whether no queen in rows 0 to row-1 attacks a queen at (row, column).
static int is_safe(const char *board, int row, int column) {
  for (int above = 0; above < row; ++above) {
    int distance = board[above] - column;
    if (distance == 0 || distance == row - above || distance == above - row)
      return 0;
  }
  return 1;
}

// Returns the solutions that begin with the row-1 queens of `above` and a queen at (row-1, column). Row 0 is the empty
// board.
static long queens(int n, int row, int column, const char *above) {
  char board[MaxN];
  long found[MaxN];
  if (row == n)
    return 1;
  if (row > 0) {
    memcpy(board, above, (size_t)(row - 1));
    board[row - 1] = (char)column;
  }
  for (int next = 0; next < n; ++next) {
    found[next] = 0;
    if (is_safe(board, row, next))
      found[next] = cilk_spawn queens(n, row + 1, next, board);
  }
  cilk_sync;
  long sum = 0;
  for (int next = 0; next < n; ++next)
    sum += found[next];
  return sum;
}

static int parse(const char *text, int low, int high) {
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  if (end == text || *end != '\0' || errno == ERANGE || value < low || value > high) {
    fprintf(stderr, "queens: n must be a whole number from %d to %d, not '%s'\n", low, high, text);
    exit(1);
  }
  return (int)value;
}

int main(int argc, char **argv) {
  if (argc > 2) {
    fprintf(stderr, "usage: queens [n]\n");
    return 1;
  }
  int n = argc > 1 ? parse(argv[1], 1, MaxN) : DefaultN;
  long solutions = queens(n, 0, 0, NULL);
  printf("queens(%d) = %ld\n", n, solutions);
  if (solutions != known[n]) {
    printf("wrong: queens(%d) is %ld\n", n, known[n]);
    return 1;
  }
  printf("ok\n");
  return 0;
}
