// Tests functions of <math.h> in kernels, against the serial elision. Exact functions agree bit by bit. Where -ffast-math allows
// another library, sin and the like agree within a vector library's error.
// Link: -lm
#include <cilk/cilk.h>
#include <math.h>
#include <stdio.h>
#include <stddef.h>

enum { Depth = 11, Count = 1 << Depth };
static double exact[Count][14];
static float exactFloats[Count][6];
static double rounded[Count][6];
static double inputs[Count];

static void compute(int index, double x) {
  double y = x * 1.7 - 3, *e = exact[index];
  float f = (float)x, *g = exactFloats[index];
  e[0] = sqrt(x), e[1] = fabs(x), e[2] = floor(x), e[3] = ceil(x), e[4] = trunc(x), e[5] = rint(x);
  e[6] = fma(x, y, 0.1), e[7] = fmin(x, y), e[8] = fmax(x, y), e[9] = copysign(x, y), e[10] = nearbyint(x);
  e[11] = round(x), e[12] = (double)lround(x), e[13] = ldexp(x, 3);
  g[0] = sqrtf(f), g[1] = floorf(f), g[2] = fminf(f, 0.5f), g[3] = copysignf(f, -1.0f), g[4] = roundf(f), g[5] = fmaf(f, f, 0.3f);
}

static void approximate(int index, double x) {
  double *r = rounded[index];
  r[0] = sin(x), r[1] = cos(x), r[2] = exp(x * 0.01), r[3] = log(fabs(x) + 1), r[4] = pow(fabs(x) + 0.5, 1.3), r[5] = sinf((float)x);
}

static void work(int index, int level, double x) {
  if (level > 0) {
    cilk_spawn work(index, level - 1, -x - 0.5);
    cilk_spawn work(index + (1 << (level - 1)), level - 1, x + level * 1.37);
    return;
  }
  inputs[index] = x;
  compute(index, x);
  approximate(index, x);
}

static unsigned long hash(const void *data, size_t size) {
  unsigned long h = 1469598103934665603ul;
  for (const unsigned char *byte = data, *end = byte + size; byte != end; ++byte)
    h = (h ^ *byte) * 1099511628211ul;
  return h;
}

#ifdef __FAST_MATH__
/// Returns whether the functions' values equal those of long double within the error of vector libraries and -ffast-math: some
/// units in the last digit.
static int isClose(int index) {
  long double x = inputs[index];
  const long double wanted[] = {sinl(x), cosl(x), expl(x * 0.01L), logl(fabsl(x) + 1), powl(fabsl(x) + 0.5L, 1.3L), sinl((float)x)};
  for (int i = 0; i < 6; ++i) {
    long double unit = i == 5 ? 1.2e-7L : 2.3e-16L, error = fabsl(rounded[index][i] - wanted[i]);
    // Near zero, a rounded argument decides the last digits.
    if (error > 8 * unit * fmaxl(fabsl(wanted[i]), 0.5L))
      return 0;
  }
  return 1;
}
#else
/// Processors disagree about the bits of a NaN.
static void unify(double *values, float *floats) {
  for (int i = 0; i < 14; ++i)
    values[i] = isnan(values[i]) ? (double)NAN : values[i];
  for (int i = 0; i < 6; ++i)
    floats[i] = isnan(floats[i]) ? NAN : floats[i];
}
#endif

int main(void) {
  work(0, Depth, 0.37);
#ifdef __FAST_MATH__
  int close = 0;
  for (int i = 0; i < Count; ++i)
    close += isClose(i);
  printf("%d of %d within some units in the last place\n", close, Count);
#else
  for (int i = 0; i < Count; ++i)
    unify(exact[i], exactFloats[i]);
  printf("doubles %016lx floats %016lx\n", hash(exact, sizeof exact), hash(exactFloats, sizeof exactFloats));
  printf("functions %016lx\n", hash(rounded, sizeof rounded));
#endif
  return 0;
}
