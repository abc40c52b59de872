// Tests `#pragma cilk depend` with programs on tiles, as they are written for OpenMP: Cholesky factorisation and the
// multiplication of matrices. All numbers are integers modulo a prime, so every order of the sums gives one result.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kTile = 4, kPrime = 65521 };
typedef uint32_t tile[kTile][kTile];

static uint32_t power(uint32_t base, uint32_t exponent) {
  uint64_t result = 1, square = base;
  for (; exponent; exponent >>= 1, square = square * square % kPrime)
    if (exponent & 1)
      result = result * square % kPrime;
  return result;
}

// Makes the diagonal tile triangular: L D L^T instead of square roots, which not every number has.
static void factor(tile a) {
  for (int k = 0; k < kTile; ++k) {
    uint32_t inverse = power(a[k][k] ? a[k][k] : 1, kPrime - 2);
    for (int i = k + 1; i < kTile; ++i) {
      a[i][k] = (uint64_t)a[i][k] * inverse % kPrime;
      for (int j = k + 1; j <= i; ++j)
        a[i][j] = (a[i][j] + (uint64_t)(kPrime - a[i][k]) * a[j][k]) % kPrime;
    }
  }
}
static void solve(tile diagonal, tile a) {
  for (int i = 0; i < kTile; ++i)
    for (int j = 0; j < kTile; ++j)
      for (int k = 0; k < j; ++k)
        a[i][j] = (a[i][j] + (uint64_t)(kPrime - a[i][k]) * diagonal[j][k]) % kPrime;
}
static void update(tile left, tile right, tile a) {
  for (int i = 0; i < kTile; ++i)
    for (int j = 0; j < kTile; ++j)
      for (int k = 0; k < kTile; ++k)
        a[i][j] = (a[i][j] + (uint64_t)(kPrime - left[i][k]) * right[j][k]) % kPrime;
}
static void multiply(tile left, tile right, tile a) {
  for (int i = 0; i < kTile; ++i)
    for (int j = 0; j < kTile; ++j)
      for (int k = 0; k < kTile; ++k)
        a[i][j] = (a[i][j] + (uint64_t)left[i][k] * right[k][j]) % kPrime;
}

static void cholesky(int n, tile *a) {
  for (int k = 0; k < n; ++k) {
#pragma cilk depend(inout : a[k * n + k])
    cilk_spawn factor(a[k * n + k]);
    for (int i = k + 1; i < n; ++i) {
#pragma cilk depend(in : a[k * n + k]) depend(inout : a[i * n + k])
      cilk_spawn solve(a[k * n + k], a[i * n + k]);
    }
    for (int i = k + 1; i < n; ++i)
      for (int j = k + 1; j <= i; ++j) {
#pragma cilk depend(in : a[i * n + k], a[j * n + k]) depend(inout : a[i * n + j])
        cilk_spawn update(a[i * n + k], a[j * n + k], a[i * n + j]);
      }
  }
  cilk_sync;
}

static void product(int n, tile *a, tile *b, tile *c) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
#pragma cilk depend(in : a[i * n + k], b[k * n + j]) depend(inout : c[i * n + j])
        cilk_spawn multiply(a[i * n + k], b[k * n + j], c[i * n + j]);
      }
  cilk_sync;
}

// The whole product is one ordered spawn among others: ordered spawns in ordered spawns.
static void chain(int n, tile *a, tile *b, tile *c) {
  int count = n * n;
#pragma cilk depend(inout : a[0 : count])
  cilk_spawn cholesky(n, a);
#pragma cilk depend(inout : b[0 : count])
  cilk_spawn cholesky(n, b);
#pragma cilk depend(in : a[0 : count], b[ : count]) depend(inout : c[0 : count])
  cilk_spawn product(n, a, b, c);
#pragma cilk depend(in : c[0 : count], b[0 : count]) depend(inout : a[0 : count])
  cilk_spawn product(n, c, b, a);
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 5;
  n = n > 12 ? 12 : n;
  tile *all = calloc(3 * n * n + 1, sizeof(tile));
  uint32_t *numbers = all[0][0];
  for (int i = 0; i < 3 * n * n * kTile * kTile; ++i)
    numbers[i] = (i * 7919 + 17) % kPrime;
  chain(n, all, all + n * n, all + 2 * n * n);
  uint64_t sum = 0;
  for (int i = 0; i < 3 * n * n * kTile * kTile; ++i)
    sum = sum * 31 + numbers[i];
  printf("%llu\n", (unsigned long long)sum);
  free(all);
}
