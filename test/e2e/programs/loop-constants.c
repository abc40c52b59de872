// Tests iterations that capture constants: numbers, and local arrays whose values are constants, also in nested loops,
// and arrays that look like these but change.
#include <cilk/cilk.h>
#include <stdio.h>

enum { kCells = 300 };
static int weighted[kCells], moved[kCells], nested[kCells], changing[kCells];

static void filter(void) {
  const int weights[5] = {1, 4, 6, 4, 1};
  int cells = kCells;
  cilk_for (int i = 0; i < cells; ++i) {
    int sum = 0;
    for (int k = 0; k < 5; ++k)
      sum += weights[k] * ((i + k) % cells);
    weighted[i] = sum;
  }
}

static void move(int steps) {
  const signed char moves[] = {-1, 2, 0, 7};
  cilk_for (int i = 0; i < kCells; ++i) {
    int at = i;
    for (int k = 0; k < steps; ++k)
      at = (at + moves[(at + k) & 3] + kCells) % kCells;
    moved[i] = at;
  }
}

static void nest(void) {
  const double factors[3] = {0.5, 1.5, 2.5};
  int width = 20, height = kCells / 20;
  cilk_for (int y = 0; y < height; ++y)
    cilk_for (int x = 0; x < width; ++x)
      nested[y * width + x] = (int)(factors[(x + y) % 3] * (y * width + x % (width - 1)));
}

static void change(int rounds) {
  int table[4] = {3, 1, 4, 1};
  for (int round = 0; round < rounds; ++round) {
    cilk_for (int i = 0; i < kCells; ++i)
      changing[i] += table[(i + round) & 3];
    table[round & 3] += round;
  }
}

int main(void) {
  filter();
  move(9);
  nest();
  change(6);
  unsigned long sum = 0;
  for (int i = 0; i < kCells; ++i)
    sum = sum * 31 + weighted[i] * 7 + moved[i] * 5 + nested[i] * 3 + changing[i];
  printf("%lu\n", sum);
  return 0;
}
