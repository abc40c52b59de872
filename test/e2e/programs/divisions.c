// Tests divisions of integers by variables, in lanes that take different paths: all widths, with and without sign, at the
// ends of their ranges. Vectors divide short integers as floating-point numbers.
#include <cilk/cilk.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#define KINDS(X)                                                                                                         \
  X(int, s32) X(unsigned, u32) X(short, s16) X(unsigned short, u16) X(signed char, s8) X(unsigned char, u8) X(long, s64) \
  X(unsigned long, u64)

static unsigned long next(unsigned long *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state >> (*state & 31);
}

// A dividend or divisor: often near an end of the range, a power of two, or small.
static unsigned long number(unsigned long *state, int bits) {
  unsigned long value = next(state);
  switch (value % 5) {
  case 0:
    return value & 7;
  case 1:
    return (1ul << (bits - 1)) + (value >> 8) % 5 - 2;
  case 2:
    return (1ul << ((value >> 8) % (unsigned)bits)) + (value >> 16) % 3 - 1;
  case 3:
    return 0ul - (value >> 8) % 4;
  default:
    return next(state);
  }
}

#define DEFINE(type, name)                                                                                               \
  static unsigned long name##Pairs(unsigned long state) {                                                                \
    unsigned long hash = 0;                                                                                              \
    for (int i = 0; i < 12; i++) {                                                                                       \
      type a = (type)number(&state, sizeof(type) * 8), b = (type)number(&state, sizeof(type) * 8);                       \
      if (b != 0 && b != (type)-1 && state % 4) {                                                                        \
        hash = hash * 31 + (unsigned long)(a / b);                                                                       \
        hash = hash * 31 + (unsigned long)(a % b);                                                                       \
      }                                                                                                                  \
    }                                                                                                                    \
    return hash;                                                                                                         \
  }                                                                                                                      \
  static unsigned long name(int depth, unsigned long state) {                                                            \
    unsigned long left, right;                                                                                           \
    if (depth == 0)                                                                                                      \
      return name##Pairs(state | 1);                                                                                     \
    left = cilk_spawn name(depth - 1, state * 6364136223846793005ul + 1);                                                \
    right = name(depth - 1, state * 2862933555777941757ul + 3);                                                          \
    cilk_sync;                                                                                                           \
    return left * 7 + right;                                                                                             \
  }
KINDS(DEFINE)

// The largest common divisor, as many programs compute it.
static unsigned divisor(unsigned a, unsigned b) { return b ? divisor(b, a % b) : a; }

static unsigned long divisors(unsigned from, unsigned to) {
  unsigned long left, right;
  if (to - from == 1)
    return divisor(from * 2654435761u, from * 40503u + 360360u);
  left = cilk_spawn divisors(from, from + (to - from) / 2);
  right = divisors(from + (to - from) / 2, to);
  cilk_sync;
  return left * 3 + right;
}

int main(int argc, char **argv) {
  int depth = argc > 1 ? atoi(argv[1]) : 9;
#define PRINT(type, name) printf(#name " %lu\n", name(depth, 88172645463325252ul));
  KINDS(PRINT)
  printf("%lu\n", divisors(1, 1u << depth));
  return 0;
}
