// Loops over arrays that the compiler knows not to overlap, or must not assume not to overlap. Arrays of the second
// kind are swapped, are allocated again at the same address after free, are passed from call to call, or are parts of
// one another.
#include "checksum.h"
#include <stdlib.h>

enum { N = 700 };

static Checksum sum(const unsigned *values, int n) {
  Checksum result = 3;
  for (int i = 0; i < n; ++i)
    result = fold(result, values[i]);
  return result;
}

static unsigned *array(unsigned seed) {
  unsigned *values = malloc(N * sizeof *values);
  for (int i = 0; i < N; ++i)
    values[i] = seed * 31 + (unsigned)i;
  return values;
}

/* Rounds of a stencil: a round reads the values of the round before. */
static Checksum stencil(void) {
  unsigned *from = malloc(N * sizeof *from), *to = malloc(N * sizeof *to);
  for (int i = 0; i < N; ++i)
    from[i] = to[i] = (unsigned)i * 7;
  for (int round = 0; round < 5; ++round) {
    cilk_for (int i = 1; i < N - 1; ++i)
      to[i] = from[i - 1] + 2 * from[i] + from[i + 1];
    unsigned *old = from;
    from = to;
    to = old;
  }
  Checksum result = fold(sum(from, N), sum(to, N));
  free(from);
  free(to);
  return result;
}

/* One call makes and returns an array, and the next call reads it. */
static inline unsigned *step(const unsigned *from) {
  unsigned *to = malloc(N * sizeof *to), *extra = malloc(N * sizeof *extra);
  cilk_for (int i = 0; i < N; ++i) {
    extra[i] = from[N - 1 - i] ^ 5;
    to[i] = extra[i] + from[i];
  }
  cilk_for (int i = 0; i < N; ++i)
    for (int k = 0; k < 4; ++k)
      to[i] += extra[(i + k) % N];
  free(extra);
  return to;
}

static Checksum chain(void) {
  unsigned *values = array(1);
  for (int round = 0; round < 6; ++round) {
    unsigned *next = step(values);
    free(values);
    values = next;
  }
  Checksum result = sum(values, N);
  free(values);
  return result;
}

/* The same loop for arrays that change places from call to call. */
static inline void exchange(unsigned *restrict a, unsigned *restrict b) {
  cilk_for (int i = 0; i < N; ++i)
    for (int k = 0; k < 3; ++k)
      a[i] += b[i] + (unsigned)k;
}

static Checksum exchanges(void) {
  unsigned *a = array(5), *b = array(6);
  for (int round = 0; round < 4; ++round) {
    exchange(a, b);
    exchange(b, a);
  }
  Checksum result = fold(sum(a, N), sum(b, N));
  free(a);
  free(b);
  return result;
}

/* One array by two names, and one that may be either. */
static Checksum names(int which) {
  unsigned *a = malloc(2 * N * sizeof *a), *b = malloc(N * sizeof *b), *tail = a + N, *either = which ? a : b;
  for (int i = 0; i < N; ++i)
    a[i] = tail[i] = b[i] = (unsigned)(i + which);
  cilk_for (int i = 0; i < N; ++i) {
    a[i] += 3;
    tail[i] = a[i] + b[i];
    either[i] += tail[i];
    b[i] = tail[i] ^ a[N + i] ^ either[i];
  }
  Checksum result = fold(sum(a, 2 * N), sum(b, N));
  free(a);
  free(b);
  return result;
}

/* Loops in tasks, side by side, some over what their parent has made. */
static void halves(unsigned *values, int n, Checksum *result) {
  unsigned *own = malloc((size_t)n * sizeof *own);
  Checksum left = 0, right = 0;
  cilk_for (int i = 0; i < n; ++i)
    own[i] = values[i] * 3 + 1;
  cilk_for (int i = 0; i < n; ++i)
    values[i] ^= own[n - 1 - i];
  if (n > 40) {
    cilk_spawn halves(own, n / 2, &left);
    halves(own + n / 2, n - n / 2, &right);
    cilk_sync;
  }
  cilk_for (int i = 0; i < n; ++i)
    values[i] += own[i];
  *result = fold(fold(left, right), sum(own, n));
  free(own);
}

/* A function that loops call with parts of two arrays, and others with parts of one. */
static void nothing(void) {}

static void shifted(unsigned *to, const unsigned *from, int n) {
  cilk_spawn nothing();
  for (int i = 0; i < n; ++i)
    to[i] = from[i] * 3;
}

static Checksum parts(void) {
  unsigned *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
  for (int i = 0; i < N; ++i)
    b[i] = (unsigned)i * 3;
  cilk_for (int i = 0; i < 4; ++i)
    shifted(a + i * (N / 4), b + i * (N / 4), N / 4);
  Checksum result = sum(a, N / 4 * 4);
  free(a);
  free(b);
  return result;
}

int main(void) {
  report("stencil", stencil());
  report("chain", chain());
  report("exchanges", exchanges());
  report("names", fold(names(0), names(1)));
  report("parts", parts());
  unsigned *values = array(9);
  shifted(values + 1, values, N - 1);
  report("shifted", sum(values, N));
  Checksum result;
  halves(values, N, &result);
  report("halves", fold(result, sum(values, N)));
  free(values);
}
