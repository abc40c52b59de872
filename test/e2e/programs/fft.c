// A fast Fourier transform over the integers modulo 998244353, its inverse, and a product of polynomials by it. All tasks share
// arrays on the heap, with strides. Two kinds of tasks have different shapes.
#include "checksum.h"
#include <cilk/cilk.h>
#include <stdint.h>
#include <stdlib.h>

enum { Modulus = 998244353, Generator = 3 };

static uint32_t times(uint32_t a, uint32_t b) { return (uint32_t)((uint64_t)a * b % Modulus); }

static uint32_t power(uint32_t base, uint32_t exponent) {
  uint32_t result = 1;
  for (; exponent; exponent >>= 1, base = times(base, base))
    if (exponent & 1)
      result = times(result, base);
  return result;
}

static void butterflies(uint32_t *out, long half, long low, long high, uint32_t root) {
  if (high - low > 32) {
    long middle = (low + high) / 2;
    cilk_spawn butterflies(out, half, low, middle, root);
    cilk_spawn butterflies(out, half, middle, high, root);
    return;
  }
  uint32_t factor = power(root, (uint32_t)low);
  for (long i = low; i < high; ++i, factor = times(factor, root)) {
    uint32_t even = out[i], odd = times(factor, out[i + half]);
    out[i] = (even + odd) % Modulus;
    out[i + half] = (even + Modulus - odd) % Modulus;
  }
}

static void transform(const uint32_t *in, uint32_t *out, long n, long stride, uint32_t root) {
  if (n == 1) {
    out[0] = in[0];
    return;
  }
  cilk_spawn transform(in, out, n / 2, 2 * stride, times(root, root));
  cilk_spawn transform(in + stride, out + n / 2, n / 2, 2 * stride, times(root, root));
  cilk_sync;
  cilk_spawn butterflies(out, n / 2, 0, n / 2, root);
}

int main(void) {
  enum { N = 2048 };
  uint32_t *a = calloc(6 * N, sizeof *a), *b = a + N, *fa = b + N, *fb = fa + N, *product = fb + N, *back = product + N;
  if (!a)
    return 2;
  for (uint32_t i = 0; i < N / 2; ++i) {
    a[i] = i * i % 1009;
    b[i] = (i * 31 + 7) % 997;
  }
  uint32_t root = power(Generator, (Modulus - 1) / N);
  transform(a, fa, N, 1, root);
  transform(b, fb, N, 1, root);
  for (long i = 0; i < N; ++i)
    product[i] = times(fa[i], fb[i]);
  transform(product, back, N, 1, power(root, Modulus - 2));
  Checksum sum = 0;
  int wrong = 0;
  for (long i = 0; i < N; ++i) {
    uint32_t coefficient = times(back[i], power(N, Modulus - 2));
    sum = fold(sum, coefficient);
    if (i < 64) { // compare with the definition
      uint64_t expected = 0;
      for (long k = 0; k <= i; ++k)
        expected += (uint64_t)a[k] * b[i - k];
      wrong |= expected % Modulus != coefficient;
    }
  }
  report("fft", sum);
  free(a);
  return wrong;
}
