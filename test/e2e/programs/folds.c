// Folded results beside terms that are folds of another kind, and sums of floating-point numbers that may be reassociated. All
// terms are small multiples of powers of two, so every order has the same result.
#include <cilk/cilk.h>
#include <stdio.h>

// A child that returns at once returns a sum, or a minimum.
static int lowest(int n, int seed) {
  if (n < 2)
    return seed % 100 + n;
  int a = cilk_spawn lowest(n - 1, seed * 5 + 1), b = cilk_spawn lowest(n - 2, seed * 3 + 2);
  cilk_sync;
  return a < b ? a : b;
}

static unsigned bits(int n) {
  if (n < 2)
    return 4u + n;
  unsigned a = cilk_spawn bits(n - 1), b = cilk_spawn bits(n - 2);
  cilk_sync;
  return (a | b) | 1u << n;
}

static long odd(int n) {
  if (n < 2)
    return n < 1 ? n : 7;
  long a = cilk_spawn odd(n - 1), b = cilk_spawn odd(n - 2);
  cilk_sync;
  return a ^ b ^ (n + 3);
}

// The type is narrower than the type in which C computes.
static short narrow(int n) {
  if (n < 2)
    return n + 300;
  short a = cilk_spawn narrow(n - 1), b = cilk_spawn narrow(n - 2);
  cilk_sync;
  return a + b;
}

#pragma clang fp reassociate(on)

static double leaves(int n) {
  if (n < 2)
    return n + 0.5;
  double a = cilk_spawn leaves(n - 1), b = cilk_spawn leaves(n - 2);
  cilk_sync;
  return a + b;
}

// Has terms of its own, and terms from an argument.
static float weighted(int n, float weight) {
  float a = 0, b = 0;
  if (n > 0)
    a = cilk_spawn weighted(n - 1, weight * 0.5f);
  if (n > 3)
    b = cilk_spawn weighted(n - 3, weight);
  cilk_sync;
  return a + b + weight;
}

// Through an array.
static double wide(int depth, int width) {
  double results[7], sum = 0;
  if (depth == 0)
    return width;
  for (int i = 0; i < width; ++i)
    results[i] = cilk_spawn wide(depth - 1, width - i % 2);
  cilk_sync;
  for (int i = 0; i < width; ++i)
    sum += results[i];
  return sum;
}

// Zeros of both signs: a value to which nothing is added keeps its sign.
static double zeros(int n) {
  if (n < 2)
    return -0.0;
  double a = cilk_spawn zeros(n - 1), b = cilk_spawn zeros(n - 2);
  cilk_sync;
  return a + b;
}

// A product is no sum.
static double product(int n) {
  if (n < 2)
    return 2;
  double a = cilk_spawn product(n - 1), b = cilk_spawn product(n - 2);
  cilk_sync;
  return a * b;
}

int main(void) {
  for (int n = 0; n < 15; ++n) {
    int l = cilk_spawn lowest(n, 12);
    unsigned b = cilk_spawn bits(n);
    long o = cilk_spawn odd(n);
    short s = cilk_spawn narrow(n);
    cilk_sync;
    printf("%d %u %ld %d\n", l, b, o, s);
  }
  double total = 0;
  double sum = cilk_spawn leaves(17);
  cilk_sync;
  printf("%.17g\n", sum);
  for (int n = 0; n < 12; ++n) {
    float f = cilk_spawn weighted(n, 8);
    cilk_sync;
    total += f;
    printf("%d %.9g %a\n", n, f, total);
  }
  double w = cilk_spawn wide(4, 7), z = cilk_spawn zeros(9), p = cilk_spawn product(8);
  cilk_sync;
  printf("%g %a %g\n", w, z, p);
  return 0;
}
