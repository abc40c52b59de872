// The Mandelbrot set on an n by n grid: a parallel loop over all points whose iterations differ much in length. Single
// precision. The program needs no table of results: it checks points by the symmetry of the set, which holds exactly.
//   mandelbrot [n]   even, from 2 to 16384, by default 1536
#include "../Spawn.h"
#include <stdint.h>

enum { MaxSteps = 256 };

static int escape_steps(float x, float y) {
  float re = 0, im = 0;
  int steps = 0;
  while (steps < MaxSteps && re * re + im * im <= 4) {
    float next = re * re - im * im + x;
    im = 2 * re * im + y;
    re = next;
    ++steps;
  }
  return steps;
}

// Rows lie symmetrically to the real axis, at odd multiples of half their distance.
static void compute_point(int n, long point, uint16_t *steps) {
  int row = (int)(point / n), column = (int)(point % n);
  float scale = 3.0f / (float)n;
  float y = (float)(2 * row + 1 - n) * 0.5f * scale;
  float x = (float)column * scale - 2.25f;
  steps[point] = (uint16_t)escape_steps(x, y);
}

static void compute(int n, uint16_t *steps) {
  long points = (long)n * n;
  PARALLEL_FOR(long, point, 0, points, compute_point(n, point, steps));
}

static int is_symmetric(int n, const uint16_t *steps) {
  for (long row = 0; row < n / 2; ++row)
    for (long column = 0; column < n; ++column)
      if (steps[row * n + column] != steps[(n - 1 - row) * n + column])
        return 0;
  return 1;
}

int main(int argc, char **argv) {
  int n = (int)bench_size(argc, argv, 1536, 2, 16384) & ~1;
  uint16_t *steps = (uint16_t *)calloc((size_t)n * (size_t)n, sizeof(uint16_t));
  if (!steps)
    return bench_verdict(0);
  RUN_VOID(compute, n, steps);
  long total = 0, inside = 0;
  for (long i = 0; i < (long)n * n; ++i) {
    total += steps[i];
    inside += steps[i] == MaxSteps;
  }
  printf("mandelbrot(%d): %ld steps, %ld points inside\n", n, total, inside);
  // The set has an area of 1.50659 of the grid's 9.
  double area = 9.0 * (double)inside / ((double)n * n);
  int right = is_symmetric(n, steps) && total > inside * MaxSteps && (n < 64 || (area > 1.4 && area < 1.7));
  free(steps);
  return bench_verdict(right);
}
