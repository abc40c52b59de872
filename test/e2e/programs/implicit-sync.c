// The implicit sync. A Cilk function returns only when its children are done, but its returned value is evaluated before.
// The functions spawn last and have no sync of their own, and their callers rely on the work of the children.
#include "checksum.h"
#include <cilk/cilk.h>

static void mark(int *cells, int low, int high) {
  if (high - low == 1) {
    cells[low] += low * 3 + 1;
    return;
  }
  int middle = (low + high) / 2;
  cilk_spawn mark(cells, low, middle);
  cilk_spawn mark(cells, middle, high);
}

static void set(int *cell, int value) { *cell = value; }

static int returned_early(int n, int *cell) {
  int before = *cell;
  cilk_spawn set(cell + 1, n); // another cell: the returned value does not depend on it
  return before * 2;
}

static int nested(int n, int *cells) {
  if (n == 0)
    return 0;
  int a = cilk_spawn returned_early(n, cells);
  cilk_sync;
  cells[0] += a + cells[1]; // written by the grandchild
  int b = cilk_spawn nested(n - 1, cells);
  cilk_sync;
  return b + cells[0] % 100;
}

static unsigned sum_after(int n) {
  int cells[64];
  for (int i = 0; i < 64; ++i)
    cells[i] = n;
  mark(cells, 0, 64); // called, not spawned: complete when it returns
  unsigned sum = 0, below = 1;
  for (int i = 0; i < 64; ++i)
    sum = sum * 3 + (unsigned)cells[i];
  if (n > 0)
    below = cilk_spawn sum_after(n / 2);
  cilk_sync;
  return sum + below;
}

int main(void) {
  int cells[200] = {0};
  Checksum sum = 0;
  mark(cells, 0, 200);
  for (int i = 0; i < 200; ++i)
    sum = fold(sum, (unsigned)cells[i]);
  int pair[2] = {1, 0};
  sum = fold(sum, (unsigned)nested(9, pair));
  report("implicit sync", fold(sum, (unsigned)pair[0]));
  report("called", sum_after(20));
  return 0;
}
