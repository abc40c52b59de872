// Base cases with loops, which the kernels of a task share with its elision: results of several types, short arguments,
// conditions that read memory, local arrays, and parts that cannot be shared.
#include <stdio.h>
#include <stdlib.h>

enum { Size = 3000 };

static int numbers[Size], least = 5;
static long effects;

// A result, and a condition that reads memory.
static long sum(int low, int high) {
  if (high - low < least) {
    long result = 0;
    for (int i = low; i < high; ++i)
      result = result * 3 + numbers[i];
    return result;
  }
  int middle = low + (high - low) / 2;
  long left = cilk_spawn sum(low, middle);
  long right = sum(middle, high);
  cilk_sync;
  return left * 5 - right;
}

// Short arguments and a short result, which a caller extends.
static signed char extreme(signed char depth, unsigned short from) {
  if (depth <= 0) {
    signed char found = -128;
    for (unsigned short i = from; (unsigned short)(i - from) < 7; ++i)
      if ((signed char)numbers[i % Size] > found)
        found = (signed char)numbers[i % Size];
    return found;
  }
  signed char a = cilk_spawn extreme(depth - 1, from * 3 + 40000);
  signed char b = extreme(depth - 2, from * 5 + 1);
  cilk_sync;
  return a > b ? a : b;
}

// Several base cases, early ends in front of them, and a local array.
static double blend(int kind, int n, double x) {
  if (n <= 0)
    return x;
  if (n < 4) {
    double part[4] = {x, x * 2, 1, n};
    switch (kind & 3) {
    case 0:
      for (int i = 0; i < n; ++i)
        part[i] = part[3 - i] * 0.5 + i;
      break;
    case 1:
      while (part[0] < 100)
        part[0] += part[2];
      break;
    }
    return part[0] - part[n & 3];
  }
  double a = cilk_spawn blend(kind + 1, n - 3, x * 0.5);
  double b = cilk_spawn blend(kind + 2, n / 2, x + 1);
  cilk_sync;
  return a + b * 0.25;
}

// An effect in front of the base case happens once.
static void count(int n, int *cell) {
  __atomic_fetch_add(&effects, n, __ATOMIC_RELAXED);
  if (n < 3) {
    for (int i = 0; i <= n; ++i)
      *cell += i + 1;
    return;
  }
  cilk_spawn count(n - 1, cell);
  cilk_sync;
  cilk_spawn count(n - 2, cell + 1);
  cilk_sync;
}

// Writes through a pointer. Some ranges are empty.
static void scale(int *cells, int n, int by) {
  if (n < 6) {
    for (int i = 0; i < n; ++i)
      cells[i] = cells[i] * by + n;
    return;
  }
  int part = n / 5;
  cilk_spawn scale(cells, part, by + 1);
  cilk_spawn scale(cells + part, 0, by);
  scale(cells + part, n - part, by ^ 1);
  cilk_sync;
}

int main(void) {
  static int cells[64];
  for (int i = 0; i < Size; ++i)
    numbers[i] = (i * 7919 + 13) % 1009 - 500;
  printf("%ld %d\n", sum(0, Size), extreme(11, 12345));
  printf("%.6f\n", blend(0, 40, 1.5));
  count(12, cells);
  printf("%ld %d %d\n", effects, cells[0], cells[5]);
  scale(numbers, Size, 3);
  unsigned hash = 0;
  for (int i = 0; i < Size; ++i)
    hash = hash * 31 + (unsigned)numbers[i];
  printf("%u\n", hash);
}
