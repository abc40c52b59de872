// Alignment of sequences: the table of a longest common subsequence by quarters (the first, the two beside it, the last). Also
// Hirschberg's method in linear memory, and an edit distance by diagonals of blocks. Phases are scopes, which wait for the tasks
// spawned in them.
//   large-align [length]   by default 300
#include "checksum.h"
#include <cilk/cilk.h>
#include <stdlib.h>
#include <string.h>

enum { Leaf = 24, Block = 32 };

typedef struct {
  const char *a, *b;
  int rows, columns; // lengths of a and b
  int *cells;        // (rows + 1) * (columns + 1)
} Table;

static inline int *cell(const Table *t, int i, int j) { return t->cells + (long)i * (t->columns + 1) + j; }

static int larger(int a, int b) { return a > b ? a : b; }
static int smaller(int a, int b) { return a < b ? a : b; }

// Fills the cells of rows (top, bottom] and columns (left, right].
static void fill(const Table *t, int top, int left, int bottom, int right) {
  if (bottom - top <= Leaf || right - left <= Leaf) {
    for (int i = top + 1; i <= bottom; ++i)
      for (int j = left + 1; j <= right; ++j)
        *cell(t, i, j) =
            t->a[i - 1] == t->b[j - 1] ? *cell(t, i - 1, j - 1) + 1 : larger(*cell(t, i - 1, j), *cell(t, i, j - 1));
    return;
  }
  int row = (top + bottom) / 2, column = (left + right) / 2;
  fill(t, top, left, row, column);
  cilk_scope {
    cilk_spawn fill(t, top, column, row, right);
    fill(t, row, left, bottom, column);
  }
  fill(t, row, column, bottom, right);
}

// The subsequence itself, from the table.
static long trace_back(const Table *t, char *out) {
  long length = *cell(t, t->rows, t->columns), k = length;
  for (int i = t->rows, j = t->columns; i > 0 && j > 0;)
    if (t->a[i - 1] == t->b[j - 1]) {
      out[--k] = t->a[i - 1];
      --i;
      --j;
    } else if (*cell(t, i - 1, j) >= *cell(t, i, j - 1)) {
      --i;
    } else {
      --j;
    }
  return length;
}

// The last row of the table of a and b, backwards through both if `step` is -1. `row` has m + 1 elements.
static void last_row(const char *a, int n, const char *b, int m, int step, int *row) {
  memset(row, 0, ((size_t)m + 1) * sizeof *row);
  for (int i = 0; i < n; ++i, a += step) {
    int diagonal = 0;
    for (int j = 1; j <= m; ++j) {
      int above = row[j];
      row[j] = *a == b[(j - 1) * step] ? diagonal + 1 : larger(above, row[j - 1]);
      diagonal = above;
    }
  }
}

// Hirschberg: writes a longest common subsequence to out and returns its length.
static int common(const char *a, int n, const char *b, int m, char *out) {
  if (n == 0 || m == 0)
    return 0;
  if (n == 1) {
    if (!memchr(b, *a, (size_t)m))
      return 0;
    *out = *a;
    return 1;
  }
  int half = n / 2, best = 0;
  int *forward = malloc(2 * ((size_t)m + 1) * sizeof *forward), *backward = forward + m + 1;
  if (!forward)
    exit(2);
  cilk_scope {
    cilk_spawn last_row(a, half, b, m, 1, forward);
    cilk_spawn last_row(a + n - 1, n - half, b + m - 1, m, -1, backward);
  }
  for (int j = 1; j <= m; ++j)
    if (forward[j] + backward[m - j] > forward[best] + backward[m - best])
      best = j;
  int first = forward[best], second;
  free(forward);
  char *rest = out + first; // its length is known before it is there
  first = cilk_spawn common(a, half, b, best, out);
  second = cilk_spawn common(a + half, n - half, b + best, m - best, rest);
  cilk_sync;
  return first + second;
}

// Edit distance: one block of the table, given the cells above and left of it.
static void edit_block(const Table *t, int top, int left) {
  int bottom = smaller(top + Block, t->rows), right = smaller(left + Block, t->columns);
  for (int i = top + 1; i <= bottom; ++i)
    for (int j = left + 1; j <= right; ++j)
      *cell(t, i, j) = smaller(*cell(t, i - 1, j - 1) + (t->a[i - 1] != t->b[j - 1]),
                               1 + smaller(*cell(t, i - 1, j), *cell(t, i, j - 1)));
}

// Fills all blocks, with a scope for each diagonal. Returns -1 as soon as a whole diagonal is past the limit.
static int edit_distance(const Table *t, int limit) {
  int down = (t->rows + Block - 1) / Block, across = (t->columns + Block - 1) / Block;
  cilk_scope {
    for (int i = 0; i <= t->rows; ++i)
      *cell(t, i, 0) = i;
    for (int j = 0; j <= t->columns; ++j)
      *cell(t, 0, j) = j;
  }
  for (int diagonal = 0; diagonal < down + across - 1; ++diagonal) {
    int low = larger(0, diagonal - across + 1), high = smaller(diagonal, down - 1), least = limit + 1;
    cilk_scope {
      for (int i = low; i < high; ++i)
        cilk_spawn edit_block(t, i * Block, (diagonal - i) * Block);
      edit_block(t, high * Block, (diagonal - high) * Block);
    }
    for (int i = low; i <= high; ++i) { // every path to the end crosses the borders of these blocks
      int bottom = smaller((i + 1) * Block, t->rows), right = smaller((diagonal - i + 1) * Block, t->columns);
      for (int j = (diagonal - i) * Block; j <= right; ++j)
        least = smaller(least, *cell(t, bottom, j));
      for (int k = i * Block; k <= bottom; ++k)
        least = smaller(least, *cell(t, k, right));
    }
    if (least > limit)
      return -1;
  }
  return *cell(t, t->rows, t->columns);
}

static int is_subsequence(const char *part, long length, const char *whole, int n) {
  long found = 0;
  for (int i = 0; i < n && found < length; ++i)
    found += whole[i] == part[found];
  return found == length;
}

static void make_sequences(char *a, char *b, int n, int m) {
  unsigned state = 4242;
  for (int i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    a[i] = "acgt"[state >> 30];
  }
  for (int j = 0, i = 0; j < m; ++j) { // a with changes, losses and additions
    state = state * 1664525u + 1013904223u;
    unsigned what = state >> 27;
    b[j] = what < 3 ? "acgt"[what] : a[i % n];
    i += what == 4 ? 2 : what != 5;
  }
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 300, m = n + n / 5, wrong = 0;
  if (n < 1 || n > 10000)
    return 2;
  char *a = malloc((size_t)n), *b = malloc((size_t)m), *found = malloc((size_t)m), *traced = malloc((size_t)m);
  Table t = {a, b, n, m, calloc((size_t)(n + 1) * (size_t)(m + 1), sizeof(int))};
  if (!a || !b || !found || !traced || !t.cells)
    return 2;
  make_sequences(a, b, n, m);
  fill(&t, 0, 0, n, m);
  long length = trace_back(&t, traced);
  Checksum sum = 0;
  for (long k = 0; k < (long)(n + 1) * (m + 1); ++k)
    sum = fold(sum, (unsigned)t.cells[k]);
  report("table", sum);
  int linear = common(a, n, b, m, found);
  wrong += linear != length || !is_subsequence(found, length, a, n) || !is_subsequence(found, length, b, m);
  wrong += !is_subsequence(traced, length, a, n) || !is_subsequence(traced, length, b, m);
  for (int k = 0; k < linear; ++k)
    sum = fold(sum, (unsigned char)found[k]);
  printf("common: %ld, ", length);
  report("letters", sum);
  int limits[] = {n + m, n / 3, n / 40};
  for (int k = 0; k < 3; ++k)
    printf("distance up to %d: %d\n", limits[k], edit_distance(&t, limits[k]));
  sum = 0;
  for (long k = 0; k < (long)(n + 1) * (m + 1); ++k)
    sum = fold(sum, (unsigned)t.cells[k]);
  report("distances", sum);
  free(a);
  free(b);
  free(found);
  free(traced);
  free(t.cells);
  return wrong;
}
