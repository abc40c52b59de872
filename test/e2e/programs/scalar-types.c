// Every scalar type as parameter, result and local that lives across a sync: bool, the chars, shorts, ints and longs, enums,
// float, double, pointers to data. Also conversions of results.
#include "checksum.h"
#include <cilk/cilk.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum Colour { Red = 3, Green = 70000, Blue = -5 };

#define TASK(name, type, base, join)                                                                                   \
  static type name(int n, type seed) {                                                                                 \
    if (n <= 1)                                                                                                        \
      return (type)(base);                                                                                             \
    type x = cilk_spawn name(n - 1, (type)(seed + (type)1));                                                           \
    type y = cilk_spawn name(n - 2, seed);                                                                             \
    type kept = seed;                                                                                                  \
    cilk_sync;                                                                                                         \
    return (type)(join);                                                                                               \
  }

TASK(chars, char, seed, (x + y + kept) % 100)
TASK(signed_chars, signed char, -seed, (x - y + kept) % 100)
TASK(bytes, unsigned char, seed + 250, x * 3 + y + kept)
TASK(shorts, short, seed * 300, (x + y - kept) % 30000)
TASK(words, unsigned short, seed * 300, x * 5 + y + kept)
TASK(ints, int, seed - 40, (x + y * 2 + kept) % 1000000)
TASK(unsigneds, unsigned, seed * 2654435761u, x * 3 + y + kept)
TASK(longs, long, seed - 4000000000, (x + y * 2 + kept) % 1000000000000)
TASK(wides, unsigned long long, seed * 11400714819323198485ull, x * 3 + y + kept)
TASK(floats, float, seed / 3, x * 0.5f + y - kept)
TASK(doubles, double, seed / 3, x * 0.5 + y - kept)

static bool truths(int n, bool seed) {
  if (n <= 1)
    return n == 1 ? seed : !seed;
  bool x = cilk_spawn truths(n - 1, !seed);
  bool y = cilk_spawn truths(n - 2, seed);
  bool kept = seed;
  cilk_sync;
  return (x ^ y) | (kept && !x);
}

static enum Colour colours(int n, enum Colour seed) {
  if (n <= 1)
    return seed;
  enum Colour x = cilk_spawn colours(n - 1, seed == Red ? Green : Blue);
  enum Colour y = cilk_spawn colours(n - 2, Red);
  cilk_sync;
  return x == y ? seed : x;
}

static const char *pointers(int n, const char *text) {
  if (n <= 1)
    return text + n;
  const char *x = cilk_spawn pointers(n - 1, text + 1);
  const char *y = cilk_spawn pointers(n - 2, text);
  cilk_sync;
  return x > y ? x - 1 : y + 1;
}

static int number(int n) { return n * 1000003; }

static Checksum conversions(int n) {
  char a = cilk_spawn number(n);
  short b = cilk_spawn number(n + 1);
  long c = cilk_spawn number(n - 1000);
  float d = cilk_spawn number(n);
  double e = cilk_spawn ints(3, n);
  bool f = cilk_spawn number(n);
  unsigned g = cilk_spawn chars(4, (char)n);
  int h = cilk_spawn doubles(5, n);
  cilk_sync;
  Checksum sum = fold((unsigned char)a, (unsigned short)b);
  sum = fold(sum, (unsigned long)c);
  sum = fold(sum, (unsigned long)(long)d);
  sum = fold(sum, (unsigned long)(long)e);
  sum = fold(sum, f);
  return fold(fold(sum, g), (unsigned)h);
}

static Checksum bits(double value) {
  uint64_t pattern;
  memcpy(&pattern, &value, sizeof pattern);
  return pattern;
}

int main(void) {
  static const char text[] = "0123456789abcdefghijklmnopqrstuvwxyz";
  Checksum sum = 0;
  for (int n = 0; n < 12; ++n) {
    sum = fold(sum, (unsigned char)chars(n, 1));
    sum = fold(sum, (unsigned char)signed_chars(n, 2));
    sum = fold(sum, bytes(n, 3));
    sum = fold(sum, (unsigned short)shorts(n, 4));
    sum = fold(sum, words(n, 5));
    sum = fold(sum, (unsigned)ints(n, 6));
    sum = fold(sum, unsigneds(n, 7));
    sum = fold(sum, (unsigned long)longs(n, 8));
    sum = fold(sum, wides(n, 9));
    sum = fold(sum, bits(floats(n, 10)));
    sum = fold(sum, bits(doubles(n, 11)));
    sum = fold(sum, truths(n, true));
    sum = fold(sum, (unsigned)colours(n, Red));
    sum = fold(sum, (unsigned long)(pointers(n, text) - text));
    sum = fold(sum, conversions(n));
  }
  report("scalars", sum);
  return 0;
}
