// Multiplies two n by n matrices the way the "Strassen" workload of Orr et al. (ISCA 2014) does. Each task divides its
// matrices into quadrants and spawns eight sub-products, down to 16 by 16. Each base case adds its product to the
// result atomically. No work is left after the children, so there is one kernel node. There are 1 + 8 + 64 + ... tasks:
// 37,449 for n = 512.
//   strassen-atomic [n [seed]]   n a power of two from 16 to 2048, by default 512; seed a whole number, by default 1
// Prints a fingerprint of the product and says "ok" if it is right. For n up to 128, the test compares with a plain
// product. For larger n it is Freivalds' test: A(Bv) = Cv for random vectors v. The elements are whole numbers, so the
// order of the additions does not matter.
#include <cilk/cilk.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  Leaf = 16,        // matrices of this size are multiplied by one task
  PlainCheck = 128, // up to this size the result is compared with a plain product
  FreivaldsRounds = 8
};

// Adds A * B to C for `Leaf` by `Leaf` matrices; other tasks may be adding to the same elements of C.
static void add_leaf(long stride, const int *A, const int *B, int *C) {
  for (int i = 0; i < Leaf; ++i) {
    int row[Leaf] = {0};
    for (int k = 0; k < Leaf; ++k)
      for (int j = 0; j < Leaf; ++j)
        row[j] += A[i * stride + k] * B[k * stride + j];
    for (int j = 0; j < Leaf; ++j)
      __atomic_fetch_add(&C[i * stride + j], row[j], __ATOMIC_RELAXED);
  }
}

// Adds A * B to C for n by n matrices; `stride` is the distance between the rows of each.
static void multiply(long n, long stride, const int *A, const int *B, int *C) {
  if (n == Leaf) {
    add_leaf(stride, A, B, C);
    return;
  }
  long m = n / 2;
  const int *A11 = A, *A12 = A + m, *A21 = A + m * stride, *A22 = A21 + m;
  const int *B11 = B, *B12 = B + m, *B21 = B + m * stride, *B22 = B21 + m;
  int *C11 = C, *C12 = C + m, *C21 = C + m * stride, *C22 = C21 + m;
  cilk_spawn multiply(m, stride, A11, B11, C11);
  cilk_spawn multiply(m, stride, A12, B21, C11);
  cilk_spawn multiply(m, stride, A11, B12, C12);
  cilk_spawn multiply(m, stride, A12, B22, C12);
  cilk_spawn multiply(m, stride, A21, B11, C21);
  cilk_spawn multiply(m, stride, A22, B21, C21);
  cilk_spawn multiply(m, stride, A21, B12, C22);
  cilk_spawn multiply(m, stride, A22, B22, C22);
}

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (!memory) {
    fprintf(stderr, "strassen-atomic: no memory for %zu elements\n", count);
    exit(1);
  }
  return memory;
}

static uint64_t mix(uint64_t x) {
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

static int same_as_plain(long n, const int *A, const int *B, const int *C) {
  int same = 1;
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) {
      int sum = 0;
      for (long k = 0; k < n; ++k)
        sum += A[i * n + k] * B[k * n + j];
      same &= C[i * n + j] == sum;
    }
  return same;
}

static void times_vector(long n, const int *A, const long *v, long *result) {
  for (long i = 0; i < n; ++i) {
    long sum = 0;
    for (long j = 0; j < n; ++j)
      sum += A[i * n + j] * v[j];
    result[i] = sum;
  }
}

// A wrong product passes one round with a probability of at most one half.
static int passes_freivalds(long n, const int *A, const int *B, const int *C, uint64_t seed) {
  long *v = allocate((size_t)(4 * n), sizeof(long));
  long *Bv = v + n, *ABv = Bv + n, *Cv = ABv + n;
  int same = 1;
  for (int round = 0; round < FreivaldsRounds; ++round) {
    for (long i = 0; i < n; ++i)
      v[i] = (long)(mix(seed + (uint64_t)(round * n + i)) & 1);
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
    fprintf(stderr, "strassen-atomic: %s must be a whole number from %ld to %ld, not '%s'\n", what, low, high, text);
    exit(1);
  }
  return value;
}

int main(int argc, char **argv) {
  if (argc > 3) {
    fprintf(stderr, "usage: strassen-atomic [n [seed]]\n");
    return 1;
  }
  long n = argc > 1 ? parse("n", argv[1], Leaf, 2048) : 512;
  long seed = argc > 2 ? parse("seed", argv[2], 0, 1000000000) : 1;
  if (n & (n - 1)) {
    fprintf(stderr, "strassen-atomic: n must be a power of two from 16 to 2048, not '%ld'\n", n);
    return 1;
  }
  long count = n * n;
  int *A = allocate((size_t)(3 * count), sizeof(int));
  int *B = A + count, *C = B + count;
  for (long i = 0; i < 2 * count; ++i)
    A[i] = (int)(mix(((uint64_t)seed << 32) + (uint64_t)i) % 9) - 4;
  multiply(n, n, A, B, C);
  uint64_t fingerprint = 0;
  for (long i = 0; i < count; ++i)
    fingerprint = mix(fingerprint ^ (uint64_t)(int64_t)C[i]);
  printf("strassen-atomic(%ld): fingerprint %016llx\n", n, (unsigned long long)fingerprint);
  int right = n <= PlainCheck ? same_as_plain(n, A, B, C) : passes_freivalds(n, A, B, C, (uint64_t)seed);
  free(A);
  if (!right) {
    printf("wrong: this is not the product\n");
    return 1;
  }
  printf("ok\n");
  return 0;
}
