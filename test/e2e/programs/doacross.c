// Doacross nests of one to three loops: sinks in all directions, steps, bounds of every type, empty nests, chains, sizes
// of tiles, and loop variables that are declared in front of their loops.
#include "checksum.h"
#include <cilk/cilk.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

#if defined(__cilk2gpu__) != defined(__cilk2gpu_depend__)
#error "the feature macro is defined where the pragma has an effect"
#endif

enum { Rows = 60, Columns = 75 };
static unsigned cells[Rows][Columns];
static unsigned cubes[12][14][16];
static unsigned line[400];

static void start(unsigned seed) {
  unsigned *all = &cells[0][0];
  for (int i = 0; i < Rows * Columns; ++i)
    all[i] = seed += 0x9e3779b9;
  all = &cubes[0][0][0];
  for (int i = 0; i < 12 * 14 * 16; ++i)
    all[i] = seed += 0x9e3779b9;
  for (int i = 0; i < 400; ++i)
    line[i] = seed += 0x9e3779b9;
}

static Checksum finish(Checksum sum) {
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < Columns; ++j)
      sum = fold(sum, cells[i][j]);
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 14; ++j)
      for (int k = 0; k < 16; ++k)
        sum = fold(sum, cubes[i][j][k]);
  for (int i = 0; i < 400; ++i)
    sum = fold(sum, line[i]);
  return sum;
}

static unsigned mix(unsigned a, unsigned b) { return (a ^ b >> 3) * 0x85ebca6b + b; }

// The alignment of two strings.
static void align(const char *a, const char *b, int n, int m) {
#pragma cilk doacross(i - 1, j) (i, j - 1) (i - 1, j - 1)
  cilk_for (int i = 1; i <= n; ++i)
    cilk_for (int j = 1; j <= m; ++j) {
    if (a[i - 1] == ' ') {
      cells[i][j] = 0;
      continue;
    }
    unsigned up = cells[i - 1][j], left = cells[i][j - 1];
    unsigned best = up > left ? up : left, diagonal = cells[i - 1][j - 1] + (a[i - 1] == b[j - 1]);
    cells[i][j] = best > diagonal ? best : diagonal;
  }
}

// Successive over-relaxation: the neighbours below and to the right have values of the sweep before.
static void relax(int sweeps) {
  for (int sweep = 0; sweep < sweeps; ++sweep) {
#pragma cilk doacross(i - 1, j) (i, j - 1) tile(7)
    cilk_for (int i = 1; i < Rows - 1; ++i)
      cilk_for (int j = 1; j < Columns - 1; ++j)
        cells[i][j] = mix(cells[i - 1][j] + cells[i + 1][j], cells[i][j - 1] + cells[i][j + 1]);
  }
}

// Stencils over time, which need skewed tiles.
static void stencils(int n) {
#pragma cilk doacross(t - 1, x + 1) (t - 1, x) (t - 1, x - 1)
  cilk_for (int t = 1; t < n; ++t)
    cilk_for (int x = 1; x < Columns - 1; ++x)
      cells[t][x] = mix(cells[t - 1][x + 1] + cells[t - 1][x], cells[t - 1][x - 1]);
#pragma cilk doacross(t - 1, x + 2) (t, x - 1) tile(3, 5)
  cilk_for (int t = 1; t < n; ++t)
    cilk_for (int x = 1; x < Columns - 2; ++x)
      cells[t][x] = mix(cells[t - 1][x + 2], cells[t][x - 1]);
#pragma cilk doacross(t - 1, x + 20) (t - 2, x - 3) tile(1)
  cilk_for (int t = 2; t < n; ++t)
    cilk_for (int x = 3; x < Columns - 20; ++x)
      cells[t][x] = mix(cells[t - 1][x + 20], cells[t - 2][x - 3]);
#pragma cilk doacross(t - 1, x + 40) (t, x - 1)
  cilk_for (int t = 1; t < n; ++t)
    cilk_for (int x = 1; x < Columns - 40; ++x)
      cells[t][x] = mix(cells[t - 1][x + 40], cells[t][x - 1]);
}

static void independentLines(int n) {
#pragma cilk doacross(i - 1, j)
  cilk_for (int i = 1; i < n; ++i)
    cilk_for (int j = 0; j < Columns; ++j)
      cells[i][j] = mix(cells[i][j], cells[i - 1][j]);
#pragma cilk doacross(i, j - 2) tile(4, 4)
  cilk_for (int i = 0; i < n; ++i)
    cilk_for (int j = 2; j < Columns; ++j)
      cells[i][j] = mix(cells[i][j], cells[i][j - 2]);
}

static void threeLoops(int n) {
#pragma cilk doacross(i - 1, j, k) (i, j - 1, k) (i, j, k - 1)
  cilk_for (int i = 1; i < n; ++i)
    cilk_for (int j = 1; j < 14; ++j)
      cilk_for (int k = 1; k < 16; ++k)
        cubes[i][j][k] = mix(cubes[i - 1][j][k], cubes[i][j - 1][k] + cubes[i][j][k - 1]);
#pragma cilk doacross(i - 1, j + 1, k + 2) (i, j - 1, k + 1) (i, j, k - 1) tile(2, 3, 4)
  cilk_for (int i = 1; i < n; ++i) {
    cilk_for (int j = 1; j < 13; ++j) {
      cilk_for (int k = 1; k < 14; ++k)
        cubes[i][j][k] = mix(cubes[i - 1][j + 1][k + 2], cubes[i][j - 1][k + 1] + cubes[i][j][k - 1]);
    }
  }
}

static void steps(int n, unsigned u, long far) {
#pragma cilk doacross(i + 1, j - 3) (i, j - 6) tile(2, 2)
  cilk_for (short i = (short)(n - 2); i >= 0; --i)
    cilk_for (unsigned char j = 6; j < 70u; j += 3)
      cells[i][j] = mix(cells[i + 1][j - 3], cells[i][j - 6]);
#pragma cilk doacross(i - 2, j + 1) (i, j + 2)
  cilk_for (unsigned i = 2; i != u; i += 2)
    cilk_for (int64_t j = Columns - 3; 0 <= j; j = j - 1)
      cells[i][j] = mix(cells[i - 2][j + 1], cells[i][j + 2]);
#pragma cilk doacross(i - 1, j) (i, j + 1)
  cilk_for (int i = INT_MAX - 20; i < INT_MAX; ++i)
    cilk_for (unsigned j = UINT_MAX; j > UINT_MAX - 31; j += -1)
      cells[i - INT_MAX + 21][UINT_MAX - j] = mix(cells[i - INT_MAX + 20][UINT_MAX - j], j);
#pragma cilk doacross(i - 1, j) (i, j - 1) tile(4, 3)
  cilk_for (int64_t i = INT64_MAX - 20; i <= INT64_MAX - 1; ++i)
    cilk_for (uint64_t j = UINT64_MAX - 25; j <= UINT64_MAX - 1; ++j)
      cells[INT64_MAX - i][UINT64_MAX - j] = mix(cells[INT64_MAX - i + 1][UINT64_MAX - j], cells[INT64_MAX - i][UINT64_MAX - j + 1]);
#pragma cilk doacross(i - 0x40000000L, j) (i, j - 1)
  cilk_for (long i = -far; i <= far; i += 0x40000000L)
    cilk_for (signed char j = -20; j < 20; j++)
      cells[3 + i / 0x40000000L][j + 25] = mix(cells[2 + i / 0x40000000L][j + 25], cells[3 + i / 0x40000000L][j + 24]);
}

static void empty(int n) {
#pragma cilk doacross(i - 1, j) (i, j - 1)
  cilk_for (int i = 0; i < n; ++i)
    cilk_for (int j = 0; j < 5; ++j)
      cells[i][j] = 1;
#pragma cilk doacross(i - 1, j - 1) (i, j + 1)
  cilk_for (int i = 0; i < 5; ++i)
    cilk_for (int j = n; j > 0; --j)
      cells[i][j] = 1;
#pragma cilk doacross(i - 3)
  cilk_for (int i = 0; i < n; ++i)
    cells[i][0] = 1;
}

static void chains(int n) {
#pragma cilk doacross(i - 1)
  cilk_for (int i = 1; i < n; ++i)
    line[i] = mix(line[i], line[i - 1]);
#pragma cilk doacross(i - 4)
  cilk_for (int i = 4; i < n; ++i)
    for (int k = 0; k < 3; ++k) line[i] = mix(line[i], line[i - 4]);
#pragma cilk doacross(i - 6) (i - 4) tile(2)
  cilk_for (int i = 6; i < n; ++i)
    line[i] = mix(line[i - 6], line[i - 4]);
#pragma cilk doacross(p - 5) (p - 8)
  cilk_for (unsigned *p = line + 8; p < line + n; p += 1)
    for (int k = 0; k < 2; ++k) *p = mix(p[-5], p[-8]);
#pragma cilk doacross(i + 10) tile(1000)
  cilk_for (int i = n - 11; i >= 0; i -= 5)
    line[i] = mix(line[i], line[i + 10]);
}

static int calls;
static int bound(int value) {
  calls++;
  return value;
}

static Checksum variables(int n) {
  int i, j;
  long k;
#pragma cilk doacross(i - 1, j) (i, j - 1)
  cilk_for (i = 1; i < bound(n); i += 1)
    cilk_for (j = 1; j < 20; ++j)
      cells[i][j] = mix(cells[i - 1][j], cells[i][j - 1]);
  Checksum sum = fold(n > 1 ? j : 0, i);
#pragma cilk doacross(k - 6) (k - 2)
  cilk_for (k = 7; k < n * 3; k += 2)
    line[k] = mix(line[k - 6], line[k - 2]);
  int i0 = 5;
#pragma cilk doacross(i0 - 1, i)
  cilk_for (int i0 = 1, last = n; i0 < last; ++i0)
    cilk_for (int i = 0; i < 9; ++i)
      cells[i0][i] += cells[i0 - 1][i];
  return fold(sum, k + i0);
}

int main(void) {
  Checksum sum = 0;
  for (int n = 0; n < 3; ++n) {
    start(n);
    char a[Rows], b[Columns];
    for (int i = 0; i < Rows; ++i)
      a[i] = "acgt "[i * i % 5];
    for (int j = 0; j < Columns; ++j)
      b[j] = "acgt"[j * 7 % 4];
    align(a, b, 20 * n, 35 * n);
    sum = finish(sum);
    relax(n);
    sum = finish(sum);
    stencils(n * 29);
    sum = finish(sum);
    independentLines(n * 30);
    sum = finish(sum);
    threeLoops(n * 6);
    sum = finish(sum);
    steps(n * 20 + 5, n * 20 + 2, n * 0x40000000L);
    sum = finish(sum);
    empty(-n);
    sum = finish(sum);
    chains(n * 200);
    sum = finish(sum);
  }
  report("nests", sum);
  start(9);
  sum = variables(30);
  sum = fold(sum, variables(2));
  report("variables", finish(sum));
}
