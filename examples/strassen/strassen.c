// Multiplies two n by n matrices by Strassen's method in Winograd's form: seven products of half the size and fifteen
// sums instead of eight products.
//   strassen [n [seed]]   n a power of two from 16 to 4096, by default 512; seed a whole number, by default 1
// Prints a fingerprint of the product and says "ok" if it is right. For n up to 128, the test compares with a plain
// product. For larger n it is Freivalds' test: A(Bv) = Cv for random vectors v. The elements are small whole numbers,
// so doubles are exact.
#include <cilk/cilk.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  Leaf = 64,        // matrices up to this size are multiplied plainly, by one task
  Sums = 8,         // temporaries of a task: sums of quadrants ...
  Products = 3,     // ... and products for which C has no room
  PlainCheck = 128, // up to this size the result is compared with a plain product
  FreivaldsRounds = 8
};

static void *allocate(size_t count, size_t size) {
  void *memory = malloc(count * size);
  if (!memory) {
    fprintf(stderr, "strassen: no memory for %zu elements\n", count);
    exit(1);
  }
  return memory;
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

// Computes R = X + sign * Y for n by n matrices.
static void combine(long n, const double *X, long x, double sign, const double *Y, long y, double *R, long r) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j)
      R[i * r + j] = X[i * x + j] + sign * Y[i * y + j];
}

// Computes the eight sums that the products need. Each is an m by m matrix; they lie one after the other in S.
static void form_sums(long m, const double *A, long a, const double *B, long b, double *S) {
  const double *A11 = A, *A12 = A + m, *A21 = A + m * a, *A22 = A21 + m;
  const double *B11 = B, *B12 = B + m, *B21 = B + m * b, *B22 = B21 + m;
  long size = m * m;
  combine(m, A21, a, 1, A22, a, S, m);                      // S1 = A21 + A22
  combine(m, S, m, -1, A11, a, S + size, m);                // S2 = S1 - A11
  combine(m, A11, a, -1, A21, a, S + 2 * size, m);          // S3 = A11 - A21
  combine(m, A12, a, -1, S + size, m, S + 3 * size, m);     // S4 = A12 - S2
  combine(m, B12, b, -1, B11, b, S + 4 * size, m);          // S5 = B12 - B11
  combine(m, B22, b, -1, S + 4 * size, m, S + 5 * size, m); // S6 = B22 - S5
  combine(m, B22, b, -1, B12, b, S + 6 * size, m);          // S7 = B22 - B12
  combine(m, S + 5 * size, m, -1, B21, b, S + 7 * size, m); // S8 = S6 - B21
}

// Computes C from the seven products: P = {A11*B11, S1*S5, S2*S6}, and the quadrants of C hold A12*B21, S4*B22, A22*S8,
// S3*S7.
static void join_products(long m, const double *P, double *C, long c) {
  const double *P1 = P, *P5 = P + m * m, *P6 = P + 2 * m * m;
  for (long i = 0; i < m; ++i)
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
  if (n <= Leaf) {
    multiply_plainly(n, A, a, B, b, C, c);
    return;
  }
  long m = n / 2, size = m * m;
  double *S = allocate((size_t)((Sums + Products) * size), sizeof(double));
  double *P = S + Sums * size;
  form_sums(m, A, a, B, b, S);
  cilk_spawn strassen(m, A, a, B, b, P, m);                                   // A11 * B11
  cilk_spawn strassen(m, A + m, a, B + m * b, b, C, c);                       // A12 * B21
  cilk_spawn strassen(m, S + 3 * size, m, B + m * b + m, b, C + m, c);        // S4 * B22
  cilk_spawn strassen(m, A + m * a + m, a, S + 7 * size, m, C + m * c, c);    // A22 * S8
  cilk_spawn strassen(m, S, m, S + 4 * size, m, P + size, m);                 // S1 * S5
  cilk_spawn strassen(m, S + size, m, S + 5 * size, m, P + 2 * size, m);      // S2 * S6
  cilk_spawn strassen(m, S + 2 * size, m, S + 6 * size, m, C + m * c + m, c); // S3 * S7
  cilk_sync;
  join_products(m, P, C, c);
  free(S);
}

static uint64_t mix(uint64_t x) {
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

static void fill(double *data, long count, uint64_t seed) {
  for (long i = 0; i < count; ++i)
    data[i] = (double)(mix(seed + (uint64_t)i) % 9) - 4;
}

static int same_as_plain(long n, const double *A, const double *B, const double *C) {
  double *D = allocate((size_t)(n * n), sizeof(double));
  multiply_plainly(n, A, n, B, n, D, n);
  int same = 1;
  for (long i = 0; i < n * n; ++i)
    same &= C[i] == D[i];
  free(D);
  return same;
}

static void times_vector(long n, const double *A, const double *v, double *result) {
  for (long i = 0; i < n; ++i) {
    double sum = 0;
    for (long j = 0; j < n; ++j)
      sum += A[i * n + j] * v[j];
    result[i] = sum;
  }
}

// A wrong product passes one round with a probability of at most one half.
static int passes_freivalds(long n, const double *A, const double *B, const double *C, uint64_t seed) {
  double *v = allocate((size_t)(4 * n), sizeof(double));
  double *Bv = v + n, *ABv = Bv + n, *Cv = ABv + n;
  int same = 1;
  for (int round = 0; round < FreivaldsRounds; ++round) {
    for (long i = 0; i < n; ++i)
      v[i] = (double)(mix(seed + (uint64_t)(round * n + i)) & 1);
    times_vector(n, B, v, Bv);
    times_vector(n, A, Bv, ABv);
    times_vector(n, C, v, Cv);
    for (long i = 0; i < n; ++i)
      same &= ABv[i] == Cv[i];
  }
  free(v);
  return same;
}

static long parse(const char *what, const char *text, long low, long high) {
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  if (end == text || *end != '\0' || errno == ERANGE || value < low || value > high) {
    fprintf(stderr, "strassen: %s must be a whole number from %ld to %ld, not '%s'\n", what, low, high, text);
    exit(1);
  }
  return value;
}

int main(int argc, char **argv) {
  if (argc > 3) {
    fprintf(stderr, "usage: strassen [n [seed]]\n");
    return 1;
  }
  long n = argc > 1 ? parse("n", argv[1], 16, 4096) : 512;
  long seed = argc > 2 ? parse("seed", argv[2], 0, 1000000000) : 1;
  if (n & (n - 1)) {
    fprintf(stderr, "strassen: n must be a power of two from 16 to 4096, not '%ld'\n", n);
    return 1;
  }
  long count = n * n;
  double *A = allocate((size_t)(3 * count), sizeof(double));
  double *B = A + count, *C = B + count;
  fill(A, 2 * count, (uint64_t)seed << 32);
  strassen(n, A, n, B, n, C, n);
  uint64_t fingerprint = 0;
  for (long i = 0; i < count; ++i)
    fingerprint = mix(fingerprint ^ (uint64_t)(int64_t)C[i]);
  printf("strassen(%ld): fingerprint %016llx\n", n, (unsigned long long)fingerprint);
  int right = n <= PlainCheck ? same_as_plain(n, A, B, C) : passes_freivalds(n, A, B, C, (uint64_t)seed);
  free(A);
  if (!right) {
    printf("wrong: this is not the product\n");
    return 1;
  }
  printf("ok\n");
  return 0;
}
