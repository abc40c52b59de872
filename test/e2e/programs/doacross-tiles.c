// Doacross nests that take long enough for several workers to measure their first rows, and to choose sizes of tiles.
#include "checksum.h"
#include <cilk/cilk.h>

enum { Rows = 180, Columns = 150, Side = 32, Length = 6000 };
static unsigned cells[Rows][Columns], cube[Side][Side][Side], line[Length];

// Some ten nanoseconds.
static unsigned mix(unsigned a, unsigned b) {
  for (int i = 0; i < 8; ++i)
    a = (a ^ b >> 3) * 0x85ebca6b + b;
  return a;
}

static Checksum sumOf(const unsigned *values, long count) {
  Checksum sum = 0;
  for (long i = 0; i < count; ++i)
    sum = fold(sum, values[i]);
  return sum;
}

static void twoLoops(int rows, int columns) {
#pragma cilk doacross(i - 1, j) (i, j - 1) (i - 1, j - 2)
  cilk_for (int i = 1; i < rows; ++i)
    cilk_for (int j = 2; j < columns; ++j)
      cells[i][j] = mix(cells[i - 1][j] + cells[i][j - 1], cells[i - 1][j - 2]);
#pragma cilk doacross(i + 2, j) (i, j + 1) tile(5)
  cilk_for (int i = rows - 3; i >= 0; --i)
    cilk_for (int j = columns - 2; j >= 0; --j)
      cells[i][j] = mix(cells[i + 2][j], cells[i][j + 1]);
}

static void lines(int rows, int columns) {
#pragma cilk doacross(i - 1, j)
  cilk_for (int i = 1; i < rows; ++i)
    cilk_for (int j = 0; j < columns; ++j)
      cells[i][j] = mix(cells[i][j], cells[i - 1][j]);
#pragma cilk doacross(i, j - 3)
  cilk_for (int i = 0; i < rows; ++i)
    cilk_for (int j = 3; j < columns; ++j)
      cells[i][j] = mix(cells[i][j], cells[i][j - 3]);
}

static void skewed(int rows, int columns) {
#pragma cilk doacross(i - 1, j + 1) (i - 1, j) (i, j - 1)
  cilk_for (int i = 1; i < rows; ++i)
    cilk_for (int j = 1; j < columns - 1; ++j)
      cells[i][j] = mix(cells[i - 1][j + 1] + cells[i - 1][j], cells[i][j - 1]);
}

static void threeLoops(int side) {
#pragma cilk doacross(i - 1, j, k) (i, j - 1, k) (i, j, k - 1)
  cilk_for (int i = 1; i < side; ++i)
    cilk_for (int j = 1; j < side; ++j)
      cilk_for (int k = 1; k < side; ++k)
        cube[i][j][k] = mix(cube[i - 1][j][k] + cube[i][j - 1][k], cube[i][j][k - 1]);
}

static void oneLoop(int length) {
#pragma cilk doacross(i - 6)
  cilk_for (int i = 6; i < length; ++i)
    line[i] = mix(line[i], line[i - 6]);
#pragma cilk doacross(i - 50) (i - 70)
  cilk_for (int i = 70; i < length; ++i)
    line[i] = mix(line[i - 70], line[i - 50]);
}

int main(void) {
  for (int i = 0; i < Rows * Columns; ++i)
    (&cells[0][0])[i] = (unsigned)i * 0x9e3779b9;
  for (int i = 0; i < Side * Side * Side; ++i)
    (&cube[0][0][0])[i] = (unsigned)i * 0x9e3779b9;
  for (int i = 0; i < Length; ++i)
    line[i] = (unsigned)i * 0x9e3779b9;
  twoLoops(Rows, Columns);
  report("two loops", sumOf(&cells[0][0], Rows * Columns));
  lines(Rows, Columns);
  report("lines", sumOf(&cells[0][0], Rows * Columns));
  skewed(Rows, Columns);
  report("skewed", sumOf(&cells[0][0], Rows * Columns));
  threeLoops(Side);
  report("three loops", sumOf(&cube[0][0][0], Side * Side * Side));
  oneLoop(Length);
  report("one loop", sumOf(line, Length));
  return 0;
}
