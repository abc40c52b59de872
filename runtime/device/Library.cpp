// Functions of the C library that tasks call most, for devices without a C library. Each function has exactly the
// host's results, with two exceptions, where processors differ: payloads and signs of NaNs, and the sign of zero in
// fmin and fmax. Functions whose results could differ more (sin, exp, pow and the like) are not here.
#include "device/Remainder.h"
#include "device/WideNumbers.h"

#include <stddef.h>
#include <stdint.h>

extern "C" {

void *memcpy(void *to, const void *from, size_t bytes) {
  __builtin_memcpy(to, from, bytes);
  return to;
}

void *memmove(void *to, const void *from, size_t bytes) {
  __builtin_memmove(to, from, bytes);
  return to;
}

void *memset(void *to, int value, size_t bytes) {
  __builtin_memset(to, value, bytes);
  return to;
}

int memcmp(const void *a, const void *b, size_t bytes) {
  auto *x = static_cast<const unsigned char *>(a), *y = static_cast<const unsigned char *>(b);
  for (size_t i = 0; i < bytes; ++i)
    if (x[i] != y[i])
      return x[i] - y[i]; // the host's library returns the difference, too
  return 0;
}

size_t strlen(const char *text) {
  size_t length = 0;
  while (text[length])
    ++length;
  return length;
}

int strcmp(const char *a, const char *b) {
  while (*a && *a == *b)
    ++a, ++b;
  return static_cast<unsigned char>(*a) - static_cast<unsigned char>(*b);
}

char *strchr(const char *text, int c) {
  for (;; ++text)
    if (*text == (char)c)
      return const_cast<char *>(text);
    else if (!*text)
      return nullptr;
}

void *memchr(const void *from, int c, size_t bytes) {
  auto *text = static_cast<const unsigned char *>(from);
  for (size_t i = 0; i < bytes; ++i)
    if (text[i] == (unsigned char)c)
      return const_cast<unsigned char *>(text + i);
  return nullptr;
}

char *strcpy(char *to, const char *from) {
  for (size_t i = 0; (to[i] = from[i]); ++i)
    ;
  return to;
}

int strncmp(const char *a, const char *b, size_t most) {
  for (; most && *a && *a == *b; --most)
    ++a, ++b;
  return most ? static_cast<unsigned char>(*a) - static_cast<unsigned char>(*b) : 0;
}

int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }
long long llabs(long long x) { return x < 0 ? -x : x; }

#define CILK2GPU_UNARY(name)                                                                                           \
  double name(double x) { return __builtin_##name(x); }                                                                \
  float name##f(float x) { return __builtin_##name##f(x); }
CILK2GPU_UNARY(sqrt)
CILK2GPU_UNARY(fabs)
CILK2GPU_UNARY(floor)
CILK2GPU_UNARY(ceil)
CILK2GPU_UNARY(trunc)
CILK2GPU_UNARY(rint)
CILK2GPU_UNARY(nearbyint)
CILK2GPU_UNARY(round)
#undef CILK2GPU_UNARY

#define CILK2GPU_BINARY(name)                                                                                          \
  double name(double x, double y) { return __builtin_##name(x, y); }                                                   \
  float name##f(float x, float y) { return __builtin_##name##f(x, y); }
CILK2GPU_BINARY(fmin)
CILK2GPU_BINARY(fmax)
CILK2GPU_BINARY(copysign)
#undef CILK2GPU_BINARY

/// Converts to an integer. Like x86, returns the least integer for numbers out of range.
static int64_t toInteger(double x) { return x >= -0x1p63 && x < 0x1p63 ? (int64_t)x : INT64_MIN; }

#define CILK2GPU_TO_INTEGER(type, name, rounded)                                                                       \
  type name(double x) { return toInteger(rounded(x)); }                                                                \
  type name##f(float x) { return toInteger(rounded(x)); }
CILK2GPU_TO_INTEGER(long, lround, __builtin_round)
CILK2GPU_TO_INTEGER(long long, llround, __builtin_round)
CILK2GPU_TO_INTEGER(long, lrint, __builtin_rint)
CILK2GPU_TO_INTEGER(long long, llrint, __builtin_rint)
#undef CILK2GPU_TO_INTEGER

double fmod(double x, double y) { return cilk2gpu::device::remainderOf(x, y); }
// The conversion is exact, because the remainder has no more digits than a float.
float fmodf(float x, float y) { return (float)cilk2gpu::device::remainderOf(x, y); }

// Functions that compilers call for 128-bit integers. Results for a float are rounded once: a double has all digits of
// a float.
double __floattidf(__int128 x) { return cilk2gpu::device::roundWide(x, 53); }
float __floattisf(__int128 x) { return (float)cilk2gpu::device::roundWide(x, 24); }
double __floatuntidf(unsigned __int128 x) { return cilk2gpu::device::roundWide(x, 53); }
float __floatuntisf(unsigned __int128 x) { return (float)cilk2gpu::device::roundWide(x, 24); }
__int128 __fixdfti(double x) { return cilk2gpu::device::toWide(x); }
__int128 __fixsfti(float x) { return cilk2gpu::device::toWide(x); }
unsigned __int128 __fixunsdfti(double x) { return cilk2gpu::device::toUnsignedWide(x); }
unsigned __int128 __fixunssfti(float x) { return cilk2gpu::device::toUnsignedWide(x); }
}
