// Heat in a plate with loops: red-black relaxation with nested loops over each colour's rows and columns. Results of rows go to
// an array, and a coarse grid gives start values. Loops go down, by steps and over pointers.
//   large-for-heat [n]   a grid of n by n cells, by default 48
// Link: -lm
#include "checksum.h"
#include <cilk/cilk.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int n; // rows and columns, with the edges
  double *cells;
} Grid;

enum { Steps = 30, MaxN = 1024 };

static double heat_sources[MaxN];

static double *at(Grid grid, int i, int j) { return grid.cells + (long)i * grid.n + j; }

static Grid new_grid(int n) {
  Grid grid = {n, malloc((size_t)n * (size_t)n * sizeof(double))};
  if (!grid.cells)
    exit(2);
  return grid;
}

static void set_edges(Grid grid) {
  int last = grid.n - 1;
  cilk_for (int k = 0; k <= last; ++k) {
    double where = (double)k / last;
    *at(grid, 0, k) = where * (1 - where) * 4;
    *at(grid, last, k) = 0;
    if (k == 0 || k == last)
      continue; // corners belong to the rows
    *at(grid, k, 0) = heat_sources[k % MaxN];
    *at(grid, k, last) = -heat_sources[k % MaxN];
  }
}

static void clear(Grid grid) {
  double *end = grid.cells + (long)grid.n * grid.n;
#pragma cilk grainsize = 100
  cilk_for (double *cell = grid.cells; cell != end; ++cell)
    *cell = 0;
}

// Relaxes one colour's cells: the cells with (i + j) % 2 == colour. Returns the largest change.
static double relax(Grid grid, int colour, double factor, double *changes) {
  int last = grid.n - 1;
  cilk_for (int i = 1; i < last; ++i) {
    double largest = 0;
    for (int j = 1 + (i + 1 + colour) % 2; j < last; j += 2) {
      double *cell = at(grid, i, j);
      double mean = (*at(grid, i - 1, j) + *at(grid, i + 1, j) + *at(grid, i, j - 1) + *at(grid, i, j + 1)) / 4;
      double change = factor * (mean - *cell);
      *cell += change;
      largest = fabs(change) > largest ? fabs(change) : largest;
    }
    changes[i] = largest;
  }
  double largest = 0;
  for (int i = 1; i < last; ++i)
    largest = changes[i] > largest ? changes[i] : largest;
  return largest;
}

// The same by blocks, a loop over blocks of columns inside a loop over blocks of rows.
static double relax_blocks(Grid grid, int colour, double factor, int block) {
  int last = grid.n - 1, blocks = (last - 1 + block - 1) / block;
  double *changes = calloc((size_t)blocks * (size_t)blocks, sizeof *changes), largest = 0;
  if (!changes)
    exit(2);
#pragma cilk grainsize = 1
  cilk_for (int top = 1; top < last; top += block) {
    int bottom = top + block < last ? top + block : last;
    cilk_for (int left = last - 1; left >= 1; left -= block) {
      int stop = left - block > 0 ? left - block : 0;
      double most = 0;
      for (int i = top; i < bottom; ++i)
        for (int j = left; j > stop; --j) {
          if ((i + j) % 2 != colour)
            continue;
          double mean = (*at(grid, i - 1, j) + *at(grid, i + 1, j) + *at(grid, i, j - 1) + *at(grid, i, j + 1)) / 4;
          double change = factor * (mean - *at(grid, i, j));
          *at(grid, i, j) += change;
          most = fabs(change) > most ? fabs(change) : most;
        }
      changes[top / block * blocks + (last - 1 - left) / block] = most;
    }
  }
  for (int k = 0; k < blocks * blocks; ++k)
    largest = changes[k] > largest ? changes[k] : largest;
  free(changes);
  return largest;
}

static double smooth(Grid grid, int steps, double factor, int block) {
  double changes[MaxN], last = 0;
  for (int step = 0; step < steps; ++step) {
    double red, black;
    if (block) {
      red = relax_blocks(grid, 0, factor, block);
      black = relax_blocks(grid, 1, factor, block);
    } else {
      red = relax(grid, 0, factor, changes);
      black = relax(grid, 1, factor, changes);
    }
    last = red > black ? red : black;
  }
  return last;
}

// Values of the fine grid's inner cells from the four coarse cells around them.
static void interpolate(Grid fine, Grid coarse) {
  cilk_for (unsigned i = 1; i < (unsigned)fine.n - 1; ++i)
    cilk_for (unsigned j = 1; j < (unsigned)fine.n - 1; ++j) {
      double x = (double)i * (coarse.n - 1) / (fine.n - 1), y = (double)j * (coarse.n - 1) / (fine.n - 1);
      int row = (int)x, column = (int)y;
      double u = x - row, v = y - column;
      *at(fine, (int)i, (int)j) = (1 - u) * ((1 - v) * *at(coarse, row, column) + v * *at(coarse, row, column + 1)) +
                                  u * ((1 - v) * *at(coarse, row + 1, column) + v * *at(coarse, row + 1, column + 1));
    }
}

// Sums of rows by a loop, sums of pairs of sums by recursion with a loop in it.
static double total(Grid grid) {
  double sums[MaxN];
  int n = grid.n;
  cilk_for (int i = 0; i < n; ++i) {
    sums[i] = 0;
    for (int j = 0; j < n; ++j)
      sums[i] += *at(grid, i, j);
  }
  for (int width = 1; width < n; width *= 2)
    cilk_for (int i = 0; i < n - width; i += 2 * width)
      sums[i] += sums[i + width];
  return sums[0];
}

static Checksum fold_grid(Grid grid) {
  Checksum sum = 0;
  for (long k = 0; k < (long)grid.n * grid.n; ++k) {
    unsigned long long bits;
    memcpy(&bits, &grid.cells[k], sizeof bits);
    sum = fold(sum, bits);
  }
  return sum;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 48;
  if (n < 8 || n > MaxN)
    return 2;
  cilk_for (int k = 0; k < MaxN; ++k)
    heat_sources[k] = sin(k * 0.1);
  Grid coarse = new_grid(n / 2), fine = new_grid(n), blocked = new_grid(n);
  Grid *const all[] = {&coarse, &fine, &blocked};
  for (int g = 0; g < 3; ++g) {
    clear(*all[g]);
    set_edges(*all[g]);
  }
  printf("coarse: last change %.6e\n", smooth(coarse, 2 * Steps, 1.5, 0));
  interpolate(fine, coarse);
  memcpy(blocked.cells, fine.cells, (size_t)n * (size_t)n * sizeof(double));
  double by_rows = smooth(fine, Steps, 1.2, 0), by_blocks = smooth(blocked, Steps, 1.2, 7);
  printf("fine: last change %.6e, by blocks %.6e\n", by_rows, by_blocks);
  int same = memcmp(fine.cells, blocked.cells, (size_t)n * (size_t)n * sizeof(double)) == 0;
  report("coarse", fold_grid(coarse));
  report("fine", fold_grid(fine));
  printf("total %.12g, same: %s\n", total(fine), same ? "yes" : "no");
  free(coarse.cells);
  free(fine.cells);
  free(blocked.cells);
  return !same;
}
