// LU decomposition without pivoting of a matrix of square blocks, by quarters. The lower and the upper solve split their right
// side, the Schur complement splits all three dimensions. All of them are tasks that call one another. Then the system is solved
// and the residual checked.
//   large-lu [blocks]   a power of two, by default 8: a matrix of blocks*16 rows
// Link: -lm
#include "checksum.h"
#include <cilk/cilk.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { Size = 16 }; // rows and columns of a block

typedef double Block[Size][Size];

// A square part of the matrix: `blocks` blocks in each direction, `stride` blocks from one row of blocks to the next.
typedef struct {
  Block *first;
  long stride;
} Part;

static Part part(Part whole, long row, long column) {
  whole.first += row * whole.stride + column;
  return whole;
}

static void block_lu(Block a) {
  for (int k = 0; k < Size; ++k)
    for (int i = k + 1; i < Size; ++i) {
      double factor = a[i][k] /= a[k][k];
      for (int j = k + 1; j < Size; ++j)
        a[i][j] -= factor * a[k][j];
    }
}

// b = L^-1 b, where L is below the diagonal of l and has ones on it.
static void block_lower_solve(Block b, Block l) {
  for (int i = 0; i < Size; ++i)
    for (int k = 0; k < i; ++k)
      for (int j = 0; j < Size; ++j)
        b[i][j] -= l[i][k] * b[k][j];
}

// b = b U^-1.
static void block_upper_solve(Block b, Block u) {
  for (int i = 0; i < Size; ++i)
    for (int k = 0; k < Size; ++k) {
      b[i][k] /= u[k][k];
      for (int j = k + 1; j < Size; ++j)
        b[i][j] -= b[i][k] * u[k][j];
    }
}

// c -= a b.
static void block_schur(Block c, Block a, Block b) {
  for (int i = 0; i < Size; ++i)
    for (int j = 0; j < Size; ++j) {
      double sum = c[i][j];
      for (int k = 0; k < Size; ++k)
        sum -= a[i][k] * b[k][j];
      c[i][j] = sum;
    }
}

static void schur(Part c, Part a, Part b, long blocks) {
  if (blocks == 1) {
    block_schur(*c.first, *a.first, *b.first);
    return;
  }
  long half = blocks / 2;
  cilk_spawn schur(part(c, 0, 0), part(a, 0, 0), part(b, 0, 0), half);
  cilk_spawn schur(part(c, 0, half), part(a, 0, 0), part(b, 0, half), half);
  cilk_spawn schur(part(c, half, 0), part(a, half, 0), part(b, 0, 0), half);
  schur(part(c, half, half), part(a, half, 0), part(b, 0, half), half);
  cilk_sync;
  cilk_spawn schur(part(c, 0, 0), part(a, 0, half), part(b, half, 0), half);
  cilk_spawn schur(part(c, 0, half), part(a, 0, half), part(b, half, half), half);
  cilk_spawn schur(part(c, half, 0), part(a, half, half), part(b, half, 0), half);
  schur(part(c, half, half), part(a, half, half), part(b, half, half), half);
  cilk_sync;
}

static void lower_solve(Part b, Part l, long blocks);

// One half of b's columns: the rows above first, then those below.
static void lower_solve_half(Part top, Part bottom, Part l, long half) {
  cilk_spawn lower_solve(top, part(l, 0, 0), half);
  cilk_sync;
  cilk_spawn schur(bottom, part(l, half, 0), top, half);
  cilk_sync;
  lower_solve(bottom, part(l, half, half), half);
}

static void lower_solve(Part b, Part l, long blocks) {
  if (blocks == 1) {
    block_lower_solve(*b.first, *l.first);
    return;
  }
  long half = blocks / 2;
  cilk_spawn lower_solve_half(part(b, 0, 0), part(b, half, 0), l, half);
  cilk_spawn lower_solve_half(part(b, 0, half), part(b, half, half), l, half);
  cilk_sync;
}

static void upper_solve(Part b, Part u, long blocks);

static void upper_solve_half(Part left, Part right, Part u, long half) {
  upper_solve(left, part(u, 0, 0), half);
  schur(right, left, part(u, 0, half), half);
  upper_solve(right, part(u, half, half), half);
}

static void upper_solve(Part b, Part u, long blocks) {
  if (blocks == 1) {
    block_upper_solve(*b.first, *u.first);
    return;
  }
  long half = blocks / 2;
  cilk_spawn upper_solve_half(part(b, 0, 0), part(b, 0, half), u, half);
  cilk_spawn upper_solve_half(part(b, half, 0), part(b, half, half), u, half);
  cilk_sync;
}

static void lu(Part a, long blocks) {
  if (blocks == 1) {
    block_lu(*a.first);
    return;
  }
  long half = blocks / 2;
  lu(a, half);
  cilk_spawn lower_solve(part(a, 0, half), a, half);
  cilk_spawn upper_solve(part(a, half, 0), a, half);
  cilk_sync;
  schur(part(a, half, half), part(a, half, 0), part(a, 0, half), half);
  lu(part(a, half, half), half);
}

static double *entry(Part a, long i, long j) { return &part(a, i / Size, j / Size).first[0][i % Size][j % Size]; }

static void fill(Part a, long n) {
  unsigned state = 12345;
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) {
      state = state * 1664525u + 1013904223u;
      *entry(a, i, j) = (double)(state >> 8) / (1 << 24) + (i == j ? 10.0 * (double)n : 0.0);
    }
}

// Solves L U x = b in place.
static void substitute(Part a, double *x, long n) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < i; ++j)
      x[i] -= *entry(a, i, j) * x[j];
  for (long i = n - 1; i >= 0; --i) {
    for (long j = i + 1; j < n; ++j)
      x[i] -= *entry(a, i, j) * x[j];
    x[i] /= *entry(a, i, i);
  }
}

int main(int argc, char **argv) {
  long blocks = argc > 1 ? atol(argv[1]) : 8, n = blocks * Size;
  if (blocks < 1 || (blocks & (blocks - 1)))
    return 2;
  size_t bytes = (size_t)(blocks * blocks) * sizeof(Block);
  Part a = {malloc(bytes), blocks}, copy = {malloc(bytes), blocks};
  double *x = malloc((size_t)n * sizeof *x);
  if (!a.first || !copy.first || !x)
    return 2;
  fill(a, n);
  memcpy(copy.first, a.first, bytes);
  lu(a, blocks);
  Checksum sum = 0;
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) {
      unsigned long long bits;
      memcpy(&bits, entry(a, i, j), sizeof bits);
      sum = fold(sum, bits);
    }
  for (long i = 0; i < n; ++i)
    x[i] = (double)(i % 7) - 3.0;
  substitute(a, x, n);
  double worst = 0;
  for (long i = 0; i < n; ++i) {
    double residual = (double)(i % 7) - 3.0;
    for (long j = 0; j < n; ++j)
      residual -= *entry(copy, i, j) * x[j];
    worst = fmax(worst, fabs(residual));
  }
  report("lu", sum);
  printf("solved: %s\n", worst < 1e-9 ? "yes" : "no");
  free(a.first);
  free(copy.first);
  free(x);
  return worst < 1e-9 ? 0 : 1;
}
