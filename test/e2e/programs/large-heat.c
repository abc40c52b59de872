// Heat in a plate by Jacobi's method. Each step divides and conquers over the rows, and two grids change places
// between the steps. Boundary and start values come through function pointers. The same tasks reduce the change of
// each step.
//   large-heat [n]   a grid of n by 3n/2 cells, by default 64
// Link: -lm
#include "checksum.h"
#include <cilk/cilk.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef double Field(double x, double y);

typedef struct {
  double *cells;
  long rows, columns;
} Grid;

typedef struct {
  double largest; // change of a cell
  long active;    // cells that changed by more than the threshold
} Change;

static const double threshold = 1e-4;
static Grid grids[2];
static double diffusion_x, diffusion_y;

static double *row(const Grid *grid, long i) { return grid->cells + i * grid->columns; }

static double hot_edge(double x, double y) { return y == 0 ? 4 * x * (1 - x) : 0; }
static double two_bumps(double x, double y) {
  double a = (x - 0.3) * (x - 0.3) + (y - 0.4) * (y - 0.4), b = (x - 0.7) * (x - 0.7) + (y - 0.6) * (y - 0.6);
  return 1 / (1 + 50 * a) - 0.5 / (1 + 80 * b);
}

static void initialise_rows(Grid *grid, long low, long high, Field *inside, Field *edge) {
  if (high - low > 1) {
    long middle = (low + high) / 2;
    cilk_spawn initialise_rows(grid, low, middle, inside, edge);
    cilk_spawn initialise_rows(grid, middle, high, inside, edge);
    cilk_sync;
    return;
  }
  double x = (double)low / (double)(grid->rows - 1);
  for (long j = 0; j < grid->columns; ++j) {
    int on_edge = low == 0 || low == grid->rows - 1 || j == 0 || j == grid->columns - 1;
    double y = (double)j / (double)(grid->columns - 1);
    row(grid, low)[j] = on_edge ? edge(x, y) : inside(x, y);
  }
}

static Change worse(Change a, Change b) {
  return (Change){a.largest > b.largest ? a.largest : b.largest, a.active + b.active};
}

static Change step_row(const Grid *from, Grid *to, long i) {
  const double *above = row(from, i - 1), *here = row(from, i), *below = row(from, i + 1);
  double *out = row(to, i);
  Change change = {0, 0};
  for (long j = 1; j < from->columns - 1; ++j) {
    double value = here[j] + diffusion_x * (above[j] - 2 * here[j] + below[j]) +
                   diffusion_y * (here[j - 1] - 2 * here[j] + here[j + 1]);
    double difference = fabs(value - here[j]);
    out[j] = value;
    change.largest = difference > change.largest ? difference : change.largest;
    change.active += difference > threshold;
  }
  return change;
}

static Change step_rows(const Grid *from, Grid *to, long low, long high) {
  if (high - low <= 2) {
    Change change = step_row(from, to, low);
    return high - low == 2 ? worse(change, step_row(from, to, low + 1)) : change;
  }
  Change first, second;
  long middle = (low + high) / 2;
  first = cilk_spawn step_rows(from, to, low, middle);
  second = step_rows(from, to, middle, high);
  cilk_sync;
  return worse(first, second);
}

// Returns the sum of all cells, by quarters of the grid. The recursion fixes its order, whatever runs first.
static double total(const Grid *grid, long top, long left, long bottom, long right) {
  if ((bottom - top) * (right - left) <= 64) {
    double sum = 0;
    for (long i = top; i < bottom; ++i)
      for (long j = left; j < right; ++j)
        sum += row(grid, i)[j];
    return sum;
  }
  double parts[2];
  if (bottom - top >= right - left) {
    long middle = (top + bottom) / 2;
    parts[0] = cilk_spawn total(grid, top, left, middle, right);
    parts[1] = cilk_spawn total(grid, middle, left, bottom, right);
  } else {
    long middle = (left + right) / 2;
    parts[0] = cilk_spawn total(grid, top, left, bottom, middle);
    parts[1] = cilk_spawn total(grid, top, middle, bottom, right);
  }
  cilk_sync;
  return parts[0] + parts[1];
}

// Runs until nothing is active or `limit` steps are done; a Cilk function with a loop around its syncs.
static int simulate(int limit, double *trace) {
  int done = 0;
  initialise_rows(&grids[0], 0, grids[0].rows, two_bumps, hot_edge);
  memcpy(grids[1].cells, grids[0].cells, (size_t)(grids[0].rows * grids[0].columns) * sizeof(double));
  Change change = {1, 1};
  while (done < limit && change.active > 0) {
    Grid *from = &grids[done % 2], *to = &grids[1 - done % 2];
    change = cilk_spawn step_rows(from, to, 1, from->rows - 1);
    cilk_sync;
    trace[done++] = change.largest;
  }
  return done;
}

static Checksum fold_double(Checksum sum, double value) {
  unsigned long long bits;
  memcpy(&bits, &value, sizeof bits);
  return fold(sum, bits);
}

int main(int argc, char **argv) {
  enum { MaxSteps = 120 };
  long n = argc > 1 ? atol(argv[1]) : 64;
  if (n < 4)
    return 2;
  for (int i = 0; i < 2; ++i) {
    grids[i] = (Grid){NULL, n, n + n / 2};
    grids[i].cells = calloc((size_t)(n * (n + n / 2)), sizeof(double));
    if (!grids[i].cells)
      return 2;
  }
  diffusion_x = 0.2;
  diffusion_y = 0.15;
  double trace[MaxSteps];
  int done = simulate(MaxSteps, trace);
  const Grid *result = &grids[done % 2];
  Checksum sum = 0;
  for (int i = 0; i < done; ++i)
    sum = fold_double(sum, trace[i]);
  report("changes", sum);
  sum = 0;
  for (long i = 0; i < result->rows * result->columns; ++i)
    sum = fold_double(sum, result->cells[i]);
  report("grid", sum);
  printf("steps %d, total %.12g\n", done, total(result, 0, 0, result->rows, result->columns));
  free(grids[0].cells);
  free(grids[1].cells);
  return 0;
}
