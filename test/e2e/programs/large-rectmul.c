// Multiplication of rectangular matrices (row-major, with strides) that splits the largest of the three dimensions. A split of
// the inner dimension waits between its halves, or adds two products made at the same time, one in a temporary matrix.
//   large-rectmul [n]   multiplies n x 2n/3 by 2n/3 x 3n/2 and others of that order, by default 60
#include "checksum.h"
#include <cilk/cilk.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  float *data;
  int rows, columns;
  long stride;
} Matrix;

enum { Leaf = 12 };

static Matrix sub(Matrix m, int row, int column, int rows, int columns) {
  Matrix part = {m.data + row * m.stride + column, rows, columns, m.stride};
  return part;
}

static Matrix new_matrix(int rows, int columns) {
  size_t count = (size_t)rows * (size_t)columns;
  Matrix m = {malloc((count ? count : 1) * sizeof(float)), rows, columns, columns};
  if (!m.data)
    exit(2);
  return m;
}

static void leaf_product(Matrix c, Matrix a, Matrix b, int accumulate) {
  for (int i = 0; i < c.rows; ++i)
    for (int j = 0; j < c.columns; ++j) {
      float sum = accumulate ? c.data[i * c.stride + j] : 0;
      for (int k = 0; k < a.columns; ++k)
        sum += a.data[i * a.stride + k] * b.data[k * b.stride + j];
      c.data[i * c.stride + j] = sum;
    }
}

static void add(Matrix c, Matrix t) {
  if (c.rows > Leaf) {
    int half = c.rows / 2;
    cilk_spawn add(sub(c, 0, 0, half, c.columns), sub(t, 0, 0, half, c.columns));
    add(sub(c, half, 0, c.rows - half, c.columns), sub(t, half, 0, c.rows - half, c.columns));
    return;
  }
  for (int i = 0; i < c.rows; ++i)
    for (int j = 0; j < c.columns; ++j)
      c.data[i * c.stride + j] += t.data[i * t.stride + j];
}

// Computes c = a b, or c += a b. Returns the number of products in base cases; `inner` says how to split the inner dimension.
static long multiply(Matrix c, Matrix a, Matrix b, int accumulate, int inner) {
  int rows = c.rows, columns = c.columns, depth = a.columns;
  long first, second;
  if (rows <= Leaf && columns <= Leaf && depth <= Leaf) {
    leaf_product(c, a, b, accumulate);
    return 1;
  }
  if (rows >= columns && rows >= depth) {
    int half = rows / 2;
    first = cilk_spawn multiply(sub(c, 0, 0, half, columns), sub(a, 0, 0, half, depth), b, accumulate, inner);
    second = cilk_spawn multiply(sub(c, half, 0, rows - half, columns), sub(a, half, 0, rows - half, depth), b,
                                 accumulate, inner);
    cilk_sync;
  } else if (columns >= depth) {
    int half = columns / 2;
    first = cilk_spawn multiply(sub(c, 0, 0, rows, half), a, sub(b, 0, 0, depth, half), accumulate, inner);
    second =
        multiply(sub(c, 0, half, rows, columns - half), a, sub(b, 0, half, depth, columns - half), accumulate, inner);
    cilk_sync;
  } else {
    int half = depth / 2;
    Matrix left = sub(a, 0, 0, rows, half), right = sub(a, 0, half, rows, depth - half);
    Matrix top = sub(b, 0, 0, half, columns), bottom = sub(b, half, 0, depth - half, columns);
    if (inner == 0) {
      first = cilk_spawn multiply(c, left, top, accumulate, inner);
      cilk_sync;
      second = cilk_spawn multiply(c, right, bottom, 1, inner);
      cilk_sync;
    } else {
      Matrix t = new_matrix(rows, columns);
      first = cilk_spawn multiply(c, left, top, accumulate, inner);
      second = cilk_spawn multiply(t, right, bottom, 0, inner - 1);
      cilk_sync;
      cilk_spawn add(c, t);
      cilk_sync;
      free(t.data);
    }
  }
  return first + second;
}

// Computes a power of a square matrix by repeated squaring: an ordinary loop calls a Cilk function and swaps matrices.
static long power(Matrix result, Matrix base, int exponent) {
  Matrix square = new_matrix(base.rows, base.rows), spare = new_matrix(base.rows, base.rows);
  long leaves = 0;
  memcpy(square.data, base.data, (size_t)base.rows * (size_t)base.rows * sizeof(float));
  for (int i = 0; i < base.rows; ++i)
    for (int j = 0; j < base.rows; ++j)
      result.data[i * result.stride + j] = i == j;
  for (; exponent; exponent >>= 1) {
    if (exponent & 1) {
      leaves += multiply(spare, result, square, 0, 0);
      memcpy(result.data, spare.data, (size_t)base.rows * (size_t)base.rows * sizeof(float));
    }
    leaves += multiply(spare, square, square, 0, 1);
    Matrix t = square;
    square = spare;
    spare = t;
  }
  free(square.data);
  free(spare.data);
  return leaves;
}

static Matrix random_matrix(int rows, int columns, unsigned seed) {
  Matrix m = new_matrix(rows, columns);
  for (int i = 0; i < rows * columns; ++i) {
    seed = seed * 1664525u + 1013904223u;
    m.data[i] = (float)(int)(seed >> 24) / 128.0f - 1.0f;
  }
  return m;
}

static Checksum fold_matrix(Checksum sum, Matrix m) {
  for (int i = 0; i < m.rows; ++i)
    for (int j = 0; j < m.columns; ++j) {
      unsigned bits;
      memcpy(&bits, &m.data[i * m.stride + j], sizeof bits);
      sum = fold(sum, bits);
    }
  return sum;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 60;
  if (n < 2)
    return 2;
  const int shapes[][3] = {{n, 2 * n / 3, 3 * n / 2}, {n / 2, 4 * n, n / 2}, {1, n, 2 * n}, {3 * n, 1, n}, {n, n, n}};
  for (int inner = 0; inner <= 2; ++inner) {
    Checksum sum = 0;
    long leaves = 0;
    for (unsigned s = 0; s < sizeof shapes / sizeof *shapes; ++s) {
      Matrix a = random_matrix(shapes[s][0], shapes[s][1], s), b = random_matrix(shapes[s][1], shapes[s][2], s + 99);
      Matrix c = new_matrix(shapes[s][0], shapes[s][2]);
      leaves += multiply(c, a, b, 0, inner);
      leaves += multiply(c, a, b, 1, inner);
      sum = fold_matrix(sum, c);
      free(a.data);
      free(b.data);
      free(c.data);
    }
    printf("inner %d: %ld leaves\n", inner, leaves);
    report("product", sum);
  }
  Matrix base = random_matrix(n / 3 + 1, n / 3 + 1, 5), result = new_matrix(base.rows, base.rows);
  for (int i = 0; i < base.rows * base.rows; ++i)
    base.data[i] /= (float)base.rows;
  printf("power: %ld leaves\n", power(result, base, 11));
  report("power", fold_matrix(0, result));
  free(base.data);
  free(result.data);
  return 0;
}
