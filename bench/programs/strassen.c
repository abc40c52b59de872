// Multiplies two n by n matrices of doubles by Strassen's method in Winograd's form: seven products of half the size
// and fifteen sums. Matrices up to 64 by 64 are multiplied by the plain method.
//   strassen [n]   a power of two from 64 to 4096, by default 2048
// With BENCH_SEPARATE, every task allocates its eleven temporaries one by one, which costs page faults.
#include "../Spawn.h"
#include <stdint.h>

enum {
  Leaf = 64,
  Rows = 16,    // rows of a sum that are formed at a time
  Sums = 8,     // temporaries of a task: sums of quadrants ...
  Products = 3, // ... and products for which C has no room
  Temporaries = Sums + Products,
  FreivaldsRounds = 4
};

static double *allocate(long count) {
  double *memory = (double *)malloc((size_t)count * sizeof(double));
  if (!memory) {
    fprintf(stderr, "strassen: no memory for %ld elements\n", count);
    exit(1);
  }
  return memory;
}

static void allocate_temporaries(double *temporary[Temporaries], long size) {
#ifdef BENCH_SEPARATE
  for (int i = 0; i < Temporaries; ++i)
    temporary[i] = allocate(size);
#else
  temporary[0] = allocate(Temporaries * size);
  for (int i = 1; i < Temporaries; ++i)
    temporary[i] = temporary[0] + i * size;
#endif
}

static void free_temporaries(double *temporary[Temporaries]) {
#ifdef BENCH_SEPARATE
  for (int i = 1; i < Temporaries; ++i)
    free(temporary[i]);
#endif
  free(temporary[0]);
}

// Computes C = A * B for n by n matrices. `a`, `b` and `c` are the distances between rows.
static void multiply_plainly(long n, const double *A, long a, const double *B, long b, double *C, long c) {
  for (long i = 0; i < n; ++i) {
    double *row = C + i * c;
    for (long j = 0; j < n; ++j)
      row[j] = 0;
    for (long k = 0; k < n; ++k) {
      double factor = A[i * a + k];
      for (long j = 0; j < n; ++j)
        row[j] += factor * B[k * b + j];
    }
  }
}

// Computes rows of R = X + sign * Y, each of n elements.
static void combine(long n, const double *X, long x, double sign, const double *Y, long y, double *R, long r) {
  for (long i = 0; i < Rows; ++i)
    for (long j = 0; j < n; ++j)
      R[i * r + j] = X[i * x + j] + sign * Y[i * y + j];
}

// Computes rows of the eight sums that the products need: S[0] to S[7] for S1 to S8.
static void form_sums(long row, long m, const double *A, long a, const double *B, long b, double *const *S) {
  const double *A11 = A + row * a, *A12 = A11 + m, *A21 = A11 + m * a, *A22 = A21 + m;
  const double *B11 = B + row * b, *B12 = B11 + m, *B21 = B11 + m * b, *B22 = B21 + m;
  long at = row * m;
  combine(m, A21, a, 1, A22, a, S[0] + at, m);
  combine(m, S[0] + at, m, -1, A11, a, S[1] + at, m);
  combine(m, A11, a, -1, A21, a, S[2] + at, m);
  combine(m, A12, a, -1, S[1] + at, m, S[3] + at, m);
  combine(m, B12, b, -1, B11, b, S[4] + at, m);
  combine(m, B22, b, -1, S[4] + at, m, S[5] + at, m);
  combine(m, B22, b, -1, B12, b, S[6] + at, m);
  combine(m, S[5] + at, m, -1, B21, b, S[7] + at, m);
}

// Computes rows of C from the seven products: P1 = A11*B11, P5 = S1*S5, P6 = S2*S6. C's quadrants hold A12*B21, S4*B22,
// A22*S8 and S3*S7.
static void join_products(long row, long m, const double *P1, const double *P5, const double *P6, double *C, long c) {
  for (long i = row; i < row + Rows; ++i)
    for (long j = 0; j < m; ++j) {
      double *C11 = C + i * c + j, *C12 = C11 + m, *C21 = C11 + m * c, *C22 = C21 + m;
      long at = i * m + j;
      double U2 = P1[at] + P6[at];
      double U3 = U2 + *C22;
      *C11 += P1[at];
      *C12 += U2 + P5[at];
      *C21 = U3 - *C21;
      *C22 = U3 + P5[at];
    }
}

static void strassen(long n, const double *A, long a, const double *B, long b, double *C, long c) {
  double *T[Temporaries];
  if (n <= Leaf) {
    multiply_plainly(n, A, a, B, b, C, c);
    return;
  }
  long m = n / 2;
  allocate_temporaries(T, m * m);
  PARALLEL_FOR(long, i, 0, m / Rows, form_sums(i * Rows, m, A, a, B, b, T));
  GROUP;
  SPAWN_VOID(strassen, m, A, a, B, b, T[8], m);
  SPAWN_VOID(strassen, m, A + m, a, B + m * b, b, C, c);
  SPAWN_VOID(strassen, m, T[3], m, B + m * b + m, b, C + m, c);
  SPAWN_VOID(strassen, m, A + m * a + m, a, T[7], m, C + m * c, c);
  SPAWN_VOID(strassen, m, T[0], m, T[4], m, T[9], m);
  SPAWN_VOID(strassen, m, T[1], m, T[5], m, T[10], m);
  SPAWN_VOID(strassen, m, T[2], m, T[6], m, C + m * c + m, c);
  SYNC;
  PARALLEL_FOR(long, i, 0, m / Rows, join_products(i * Rows, m, T[8], T[9], T[10], C, c));
  free_temporaries(T);
}

static uint64_t mix(uint64_t x) {
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

// Fills a row with small whole numbers, so that computations in doubles are exact.
static void fill_row(long i, long n, double *A) {
  for (long j = i * n; j < (i + 1) * n; ++j)
    A[j] = (double)(mix((uint64_t)j) % 9) - 4;
}

static void fill(long rows, long n, double *A) { PARALLEL_FOR(long, i, 0, rows, fill_row(i, n, A)); }

static void times_vector_at(long i, long n, const double *A, const double *v, double *result) {
  double sum = 0;
  for (long j = 0; j < n; ++j)
    sum += A[i * n + j] * v[j];
  result[i] = sum;
}

static void times_vector(long n, const double *A, const double *v, double *result) {
  PARALLEL_FOR(long, i, 0, n, times_vector_at(i, n, A, v, result));
}

// Makes one round of Freivalds' test. A wrong product passes with a probability of at most one half.
static int passes_freivalds(long n, const double *A, const double *B, const double *C) {
  double *v = allocate(4 * n), *Bv = v + n, *ABv = Bv + n, *Cv = ABv + n;
  int same = 1;
  for (int round = 0; round < FreivaldsRounds; ++round) {
    for (long i = 0; i < n; ++i)
      v[i] = (double)(mix((uint64_t)(round * n + i)) & 1);
    times_vector(n, B, v, Bv);
    times_vector(n, A, Bv, ABv);
    times_vector(n, C, v, Cv);
    for (long i = 0; i < n; ++i)
      same &= ABv[i] == Cv[i];
  }
  free(v);
  return same;
}

int main(int argc, char **argv) {
  long n = bench_size(argc, argv, 2048, Leaf, 8192);
  while (n & (n - 1))
    n &= n - 1;
  long count = n * n;
  double *A = allocate(3 * count), *B = A + count, *C = B + count;
  RUN_VOID(fill, 2 * n, n, A);
  RUN_VOID(strassen, n, A, n, B, n, C, n);
  double corner = C[0] + C[count - 1];
  printf("strassen(%ld): corners' sum %.0f\n", n, corner);
  int right;
  RUN(right, passes_freivalds, n, A, B, C);
  free(A);
  return bench_verdict(right);
}
