// Queens, with the pieces in a list through the frames of all callers: each task adds a piece and points at its parent's. It
// counts all solutions and the solutions that are their own mirror image, and finds the first in lexical order.
//   large-queens [n]   from 1 to 12, by default 8
#include "checksum.h"
#include <cilk/cilk.h>
#include <stdlib.h>
#include <string.h>

enum { MaxN = 12 };

typedef struct Piece {
  const struct Piece *above; // null on the first row
  int row, column;
} Piece;

typedef struct {
  long count, symmetric;
  unsigned long hash;      // of all solutions, in the order of the search
  signed char first[MaxN]; // columns of the first solution
} Found;

static int n;

static int attacked(const Piece *last, int row, int column) {
  for (const Piece *p = last; p; p = p->above)
    if (p->column == column || p->column - column == row - p->row || column - p->column == row - p->row)
      return 1;
  return 0;
}

static void copy_columns(signed char *columns, const Piece *last) {
  for (const Piece *p = last; p; p = p->above)
    columns[p->row] = (signed char)p->column;
}

// Is the board the same after half a turn?
static int is_symmetric(const signed char *columns) {
  for (int row = 0; row < n; ++row)
    if (columns[n - 1 - row] != n - 1 - columns[row])
      return 0;
  return 1;
}

static Found whole_board(const Piece *last) {
  Found found = {.count = 1};
  copy_columns(found.first, last);
  found.symmetric = is_symmetric(found.first);
  for (int row = 0; row < n; ++row)
    found.hash = found.hash * 13 + (unsigned long)found.first[row];
  return found;
}

static void append(Found *all, const Found *next) {
  if (all->count == 0)
    memcpy(all->first, next->first, sizeof all->first);
  all->count += next->count;
  all->symmetric += next->symmetric;
  all->hash = all->hash * 1000003 + next->hash;
}

static Found place(const Piece *last, int row) {
  if (row == n)
    return whole_board(last);
  Piece mine[MaxN];
  Found parts[MaxN];
  int children = 0;
  for (int column = 0; column < n; ++column) {
    if (attacked(last, row, column))
      continue;
    mine[children] = (Piece){last, row, column};
    parts[children] = cilk_spawn place(&mine[children], row + 1);
    ++children;
  }
  cilk_sync;
  Found all = {0};
  for (int i = 0; i < children; ++i)
    if (parts[i].count)
      append(&all, &parts[i]);
  return all;
}

// The same count with results written through a pointer into the parent's array, and no list of results by value.
static void count_below(const Piece *last, int row, long *result) {
  long counts[MaxN] = {0};
  Piece mine[MaxN];
  if (row == n) {
    *result = 1;
    return;
  }
  for (int column = 0; column < n; ++column)
    if (!attacked(last, row, column)) {
      mine[column].above = last;
      mine[column].row = row;
      mine[column].column = column;
      cilk_spawn count_below(&mine[column], row + 1, &counts[column]);
    }
  cilk_sync;
  *result = 0;
  for (int column = 0; column < n; ++column)
    *result += counts[column];
}

// Can the last row still be reached? Tries column after column and syncs after each: a search that stops early.
static int reachable(const Piece *last, int row) {
  if (row == n)
    return 1;
  for (int column = 0; column < n; ++column) {
    if (attacked(last, row, column))
      continue;
    Piece mine = {last, row, column};
    int answer;
    answer = cilk_spawn reachable(&mine, row + 1);
    cilk_sync;
    if (answer)
      return 1;
  }
  return 0;
}

int main(int argc, char **argv) {
  static const long known[MaxN + 1] = {1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200};
  int largest = argc > 1 ? atoi(argv[1]) : 8, wrong = 0;
  if (largest < 1 || largest > MaxN)
    return 2;
  Checksum sum = 0;
  for (n = 1; n <= largest; ++n) {
    long counted = -1;
    Found found = place(NULL, 0);
    count_below(NULL, 0, &counted);
    wrong += found.count != known[n] || counted != known[n] || reachable(NULL, 0) != (known[n] > 0);
    printf("%d: %ld solutions, %ld symmetric, first", n, found.count, found.symmetric);
    for (int row = 0; row < n && found.count; ++row)
      printf(" %d", found.first[row]);
    printf("\n");
    sum = fold(fold(sum, found.hash), (unsigned long)found.symmetric);
  }
  report("boards", sum);
  return wrong;
}
