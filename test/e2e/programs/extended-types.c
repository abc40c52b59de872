// Arguments, results and locals of Clang's extended types: vectors and integers that are passed by value in memory, complex
// numbers, half precision, bit-fields of structs that are returned in registers.
#include "checksum.h"
#include <cilk/cilk.h>
#include <complex.h>

typedef float Floats __attribute__((vector_size(32)));
typedef short Shorts __attribute__((vector_size(64)));
typedef unsigned _BitInt(200) Wide;
typedef _BitInt(37) Odd;

struct Fields {
  unsigned a : 3, b : 17;
  long long c : 40;
};

static Floats floats(int n, Floats x) {
  if (n == 0)
    return x;
  Floats left = cilk_spawn floats(n - 1, x + 1.0f);
  Floats right = cilk_spawn floats(n - 1, x * 0.5f);
  cilk_sync;
  return left + right;
}

static Shorts shorts(int n, int scale, Shorts x, Floats y) {
  if (n == 0)
    return x * (short)scale + (short)y[3];
  Shorts left = cilk_spawn shorts(n - 1, scale + 1, x, y);
  Shorts right = shorts(n - 1, scale, x + (short)1, y + 2.0f);
  cilk_sync;
  return left - right;
}

static Wide wide(int n, Wide x) {
  if (n < 2)
    return x ^ (Wide)n << 150;
  Wide a = cilk_spawn wide(n - 1, x + 3);
  Wide b = wide(n - 2, x << 7);
  cilk_sync;
  return a + b + (b >> 90);
}

static Odd odd(int n, Odd x) {
  if (n < 2)
    return x + n;
  Odd a = cilk_spawn odd(n - 1, x ^ 5);
  Odd b = odd(n - 2, x >> 1);
  cilk_sync;
  return a ^ b;
}

static double _Complex complexes(int n) {
  if (n < 2)
    return n + 1.0 * I;
  double complex a = cilk_spawn complexes(n - 1);
  double complex b = complexes(n - 2);
  cilk_sync;
  return a + b;
}

static struct Fields fields(int n) {
  if (n < 2)
    return (struct Fields){(unsigned)n & 7, (unsigned)n * 77, -n};
  struct Fields x = cilk_spawn fields(n - 1), y = cilk_spawn fields(n - 2);
  cilk_sync;
  return (struct Fields){(x.a + y.a) & 7, x.b ^ y.b, x.c * 2 - y.c};
}

int main(void) {
  Floats f = cilk_spawn floats(6, (Floats){1, 2, 3, 4, 5, 6, 7, 8});
  Wide w = cilk_spawn wide(12, 12345);
  Odd o = cilk_spawn odd(12, 99999);
  cilk_sync;
  Shorts s = shorts(5, 2, (Shorts){1, 2, 3}, (Floats){0.5f, 1, 2, 40});
  double complex c = complexes(14);
  struct Fields b = fields(12);
  Checksum sum = 0;
  for (int i = 0; i < 8; ++i)
    sum = fold(sum, (unsigned long)(f[i] * 64.0f));
  for (int i = 0; i < 32; ++i)
    sum = fold(sum, (unsigned long)(unsigned short)s[i]);
  sum = fold(fold(fold(sum, (unsigned long)w), (unsigned long)(w >> 64)), (unsigned long)(w >> 128));
  sum = fold(fold(sum, (unsigned long)(long)o), (unsigned long)creal(c) * 31 + (unsigned long)cimag(c));
  sum = fold(fold(fold(sum, b.a), b.b), (unsigned long)(long long)b.c);
  report("extended types", sum);
  return 0;
}
