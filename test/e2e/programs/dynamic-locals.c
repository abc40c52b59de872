// Variable-length arrays and alloca in functions that spawn: boards on the stack, results into elements, and arrays that children
// read and write. Arrays are in loops, in blocks that are left early, and in bodies of cilk_for.
#include "checksum.h"
#include <alloca.h>
#include <stdlib.h>
#include <string.h>

/* As in many old programs: a new board for each child, never given back. */
static int queens(int n, int row, const char *board) {
  int *counts = alloca(n * sizeof(int)), total = 0;
  if (row == n)
    return 1;
  memset(counts, 0, n * sizeof(int));
  for (int column = 0; column < n; ++column) {
    char *next = alloca(row + 1);
    int safe = 1;
    memcpy(next, board, row);
    next[row] = (char)column;
    for (int r = 0; r < row; ++r)
      safe &= next[r] != column && next[r] - column != row - r && column - next[r] != row - r;
    if (safe)
      counts[column] = cilk_spawn queens(n, row + 1, next);
  }
  cilk_sync;
  for (int column = 0; column < n; ++column)
    total += counts[column];
  return total;
}

static void fill(int count, unsigned to[count], unsigned from) {
  for (int i = 0; i < count; ++i)
    to[i] = from * 31 + (unsigned)i;
}

static Checksum sum(int count, const unsigned values[count]) {
  Checksum result = 7;
  for (int i = 0; i < count; ++i)
    result = fold(result, values[i]);
  return result;
}

static Checksum arrays(int n) {
  unsigned own[n + 1];
  typedef unsigned Row[n + 2];
  Row rows[3];
  Checksum below[n > 1 ? 2 : 1];
  fill(n + 1, own, 3);
  for (int i = 0; i < 3; ++i)
    cilk_spawn fill(n + 2, rows[i], i);
  if (n < 2)
    return fold(own[0], sizeof rows);
  below[0] = cilk_spawn arrays(n - 1);
  below[1] = cilk_spawn arrays(n - 2);
  cilk_sync;
  Checksum result = fold(below[0], below[1]);
  for (int i = 0; i < 3; ++i)
    result = fold(result, sum(n + 2, rows[i]));
  return fold(result, sum(n + 1, own));
}

/* The storage of an inner block ends with it; storage from alloca does not. */
static Checksum blocks(int n) {
  Checksum result = 0;
  unsigned *kept = 0, *last = alloca(sizeof *last);
  *last = 1;
  for (int i = 0; i < n; ++i) {
    unsigned inner[i % 9 + 1];
    if (i % 7 == 5)
      continue;
    cilk_spawn fill(i % 9 + 1, inner, i);
    cilk_sync;
    result = fold(result, sum(i % 9 + 1, inner));
    if (i == n - 2)
      break;
    for (int k = 0; k < 3; ++k) {
      unsigned deeper[k + 1];
      fill(k + 1, deeper, k);
      if (deeper[k] % 5 == 0)
        goto next;
      result += deeper[k];
    }
  next:;
  }
  for (int i = 0; i < 5; ++i) {
    kept = alloca((i + 1) * sizeof *kept);
    fill(i + 1, kept, *last);
    cilk_spawn fill(1, last, 5 + i);
    cilk_sync;
    last = kept;
  }
  return fold(result, *last);
}

static Checksum loops(int n) {
  unsigned out[n];
  cilk_for (int i = 0; i < n; ++i) {
    unsigned own[i % 17 + 1], *more = alloca((i % 3 + 1) * sizeof *more);
    fill(i % 17 + 1, own, i);
    *more = own[0];
    out[i] = (unsigned)sum(i % 17 + 1, own) + *more;
  }
  cilk_for (int i = 0; i < n; ++i) {
    unsigned own[i % 17 + 1];
    own[0] = out[i];
    cilk_spawn fill(i % 17 + 1, own, out[i]);
    if (i % 4 == 0)
      continue;
    cilk_sync;
    out[i] = own[i % 17];
  }
  cilk_for (int i = 0; i < n; ++i) {
    unsigned *own = alloca((i % 17 + 1) * sizeof *own);
    cilk_spawn fill(i % 17 + 1, own, i);
    cilk_spawn fill(1, &out[i], i);
  }
  return sum(n, out);
}

/* Many blocks in a task whose child may be running: memory must not grow. */
static Checksum many(int n) {
  unsigned side[3];
  Checksum result = 0;
  cilk_spawn fill(3, side, 9);
  for (int i = 0; i < n; ++i) {
    unsigned block[i % 1000 + 1];
    block[i % 1000] = i;
    result = fold(result, block[i % 1000]);
  }
  cilk_sync;
  return fold(result, side[2]);
}

/* Small blocks and large ones in turn, some aligned, that children use after more have been allocated. */
static Checksum mixed(int n) {
  unsigned *blocks[n];
  Checksum result = 0;
  for (int i = 0; i < n; ++i) {
    unsigned count = i % 5 == 4 ? 300 : i + 1;
    blocks[i] = i % 4 == 3 ? __builtin_alloca_with_align(count * sizeof(unsigned), 8 * 64)
                           : alloca(count * sizeof(unsigned));
    result = fold(result, i % 4 == 3 && (unsigned long long)blocks[i] % 64);
    cilk_spawn fill(count, blocks[i], i);
    {
      unsigned inner[i * 9 + 1];
      fill(i * 9 + 1, inner, i);
      result = fold(result, inner[i * 9]);
    }
  }
  cilk_sync;
  for (int i = 0; i < n; ++i)
    result = fold(result, sum(i % 5 == 4 ? 300 : i + 1, blocks[i]));
  return result;
}

int main(void) {
  int n = 12;
  unsigned mine[n];
  for (int board = 1; board < 7; ++board)
    report("queens", queens(board, 0, ""));
  report("arrays", arrays(11));
  report("blocks", blocks(40));
  report("loops", loops(60));
  for (int i = 1; i < 20; i += 6)
    report("mixed", mixed(i));
  report("many", many(50000));
  cilk_spawn fill(n, mine, 4);
  cilk_sync;
  report("main", sum(n, mine));
  return 0;
}
