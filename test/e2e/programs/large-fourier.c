// A complex fast Fourier transform in double precision, by decimation in time by two and by four. The table of roots, the shuffle
// and the combination are separate recursions. It convolves two signals and checks against the definition.
//   large-fourier [log2 of the length]   by default 11
// Link: -lm
#include "checksum.h"
#include <cilk/cilk.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  double re, im;
} Complex;

static const double pi = 3.14159265358979323846;
static Complex *roots; // exp(-2 pi i k / length) for k = 0 .. length-1
static long length;

static inline Complex add(Complex a, Complex b) { return (Complex){a.re + b.re, a.im + b.im}; }
static inline Complex subtract(Complex a, Complex b) { return (Complex){a.re - b.re, a.im - b.im}; }
static inline Complex multiply(Complex a, Complex b) {
  return (Complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
static inline Complex rotate(Complex a) { return (Complex){a.im, -a.re}; } // times -i

static void fill_roots(long low, long high) {
  if (high - low <= 128) {
    for (long k = low; k < high; ++k) {
      double angle = -2 * pi * (double)k / (double)length;
      roots[k] = (Complex){cos(angle), sin(angle)};
    }
    return;
  }
  long middle = low + (high - low) / 2;
  cilk_spawn fill_roots(low, middle);
  fill_roots(middle, high);
}

// out[k * quarter + i] = in[4 i + k]
static void shuffle4(const Complex *in, Complex *out, long low, long high, long quarter) {
  if (high - low > 32) {
    long middle = (low + high) / 2;
    cilk_spawn shuffle4(in, out, low, middle, quarter);
    cilk_spawn shuffle4(in, out, middle, high, quarter);
    cilk_sync;
    return;
  }
  for (long i = low; i < high; ++i)
    for (int k = 0; k < 4; ++k)
      out[k * quarter + i] = in[4 * i + k];
}

static void combine4(const Complex *in, Complex *out, long low, long high, long quarter) {
  if (high - low > 32) {
    long middle = (low + high) / 2;
    cilk_spawn combine4(in, out, low, middle, quarter);
    cilk_spawn combine4(in, out, middle, high, quarter);
    cilk_sync;
    return;
  }
  long step = length / (4 * quarter);
  for (long i = low; i < high; ++i) {
    Complex a = in[i], b = multiply(in[quarter + i], roots[i * step]);
    Complex c = multiply(in[2 * quarter + i], roots[2 * i * step]);
    Complex d = multiply(in[3 * quarter + i], roots[3 * i * step]);
    Complex even = add(a, c), odd = subtract(a, c), sum = add(b, d), difference = rotate(subtract(b, d));
    out[i] = add(even, sum);
    out[quarter + i] = add(odd, difference);
    out[2 * quarter + i] = subtract(even, sum);
    out[3 * quarter + i] = subtract(odd, difference);
  }
}

// The base case: at most 8 elements by the definition's recursion, in a local array.
static void small(Complex *data, long n) {
  Complex parts[8];
  if (n == 1)
    return;
  for (long i = 0; i < n / 2; ++i) {
    parts[i] = data[2 * i];
    parts[n / 2 + i] = data[2 * i + 1];
  }
  small(parts, n / 2);
  small(parts + n / 2, n / 2);
  for (long i = 0; i < n / 2; ++i) {
    Complex odd = multiply(parts[n / 2 + i], roots[i * (length / n)]);
    data[i] = add(parts[i], odd);
    data[n / 2 + i] = subtract(parts[i], odd);
  }
}

// Transforms data[0 .. n) in place; scratch has n elements.
static void transform(Complex *data, Complex *scratch, long n) {
  if (n <= 8) {
    small(data, n);
    return;
  }
  long quarter = n / 4;
  cilk_spawn shuffle4(data, scratch, 0, quarter, quarter);
  cilk_sync;
  for (int k = 0; k < 4; ++k)
    cilk_spawn transform(scratch + k * quarter, data + k * quarter, quarter);
  cilk_sync;
  combine4(scratch, data, 0, quarter, quarter);
}

static void conjugate_all(Complex *data, double scale, long n) {
  if (n <= 64) {
    for (long i = 0; i < n; ++i)
      data[i] = (Complex){data[i].re * scale, -data[i].im * scale};
    return;
  }
  cilk_spawn conjugate_all(data, scale, n / 2);
  cilk_spawn conjugate_all(data + n / 2, scale, n - n / 2);
}

static void inverse(Complex *data, Complex *scratch, long n) {
  conjugate_all(data, 1, n);
  transform(data, scratch, n);
  conjugate_all(data, 1 / (double)n, n);
}

static void multiply_all(Complex *a, const Complex *b, long n) {
  while (n > 64) {
    cilk_spawn multiply_all(a + n / 2, b + n / 2, n - n / 2);
    n /= 2;
  }
  for (long i = 0; i < n; ++i)
    a[i] = multiply(a[i], b[i]);
}

static Checksum fold_all(const Complex *data, long n) {
  Checksum sum = 0;
  for (long i = 0; i < n; ++i) {
    unsigned long long bits[2];
    memcpy(bits, &data[i], sizeof bits);
    sum = fold(fold(sum, bits[0]), bits[1]);
  }
  return sum;
}

static double signal(long i, int which) { return (double)((i * (which ? 31 : 17) + 5) % 23) - 11; }

int main(int argc, char **argv) {
  int log = argc > 1 ? atoi(argv[1]) : 11;
  if (log < 0 || log > 24)
    return 2;
  length = 1L << log;
  Complex *a = malloc(4 * (size_t)length * sizeof *a);
  if (!a)
    return 2;
  Complex *b = a + length, *scratch = b + length;
  roots = scratch + length;
  fill_roots(0, length);
  for (long i = 0; i < length; ++i) {
    a[i] = (Complex){signal(i, 0), 0};
    b[i] = (Complex){signal(i, 1), 0};
  }
  transform(a, scratch, length);
  transform(b, scratch, length);
  report("spectra", fold(fold_all(a, length), fold_all(b, length)));
  multiply_all(a, b, length);
  inverse(a, scratch, length);
  report("convolution", fold_all(a, length));
  int wrong = 0;
  for (long i = 0; i < length; i += length / 8 + 1) {
    double expected = 0;
    for (long k = 0; k < length; ++k)
      expected += signal(k, 0) * signal((i - k) & (length - 1), 1);
    wrong += fabs(expected - a[i].re) > 1e-6 || fabs(a[i].im) > 1e-6;
  }
  printf("wrong: %d\n", wrong);
  free(a);
  return wrong != 0;
}
