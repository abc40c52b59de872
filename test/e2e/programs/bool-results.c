// Functions with bool results: plain assignments, into arrays, fields and through pointers, unused, negated, as arguments of
// spawned calls, and recursions whose levels hold one task of each kind.
#include "checksum.h"
#include <cilk/cilk.h>
#include <stdbool.h>

static bool reach(long x, long target, int depth) {
  if (x == target)
    return true;
  if (depth == 0 || x > target)
    return false;
  bool twice = cilk_spawn reach(x * 2, target, depth - 1);
  bool more = cilk_spawn reach(x + 3, target, depth - 1);
  cilk_sync;
  return twice || more;
}

struct Flags {
  char before;
  bool odd, big;
  char after;
};

static bool isOdd(long n) { return n & 1; }

static bool differs(bool a, bool b) { return a != b; }

static long count(long n, bool isLeft) {
  if (n < 2)
    return isLeft;
  struct Flags flags = {7, false, true, 9};
  bool set[3] = {true, true, true}, *place = &set[1];
  flags.odd = cilk_spawn isOdd(n);
  flags.big = cilk_spawn differs(n > 10, isLeft);
  *place = cilk_spawn isOdd(n + 1);
  set[2] = cilk_spawn differs(isLeft, true);
  cilk_spawn isOdd(n); // nobody wants the result
  long a = cilk_spawn count(n - 1, true), b = cilk_spawn count(n - 2, false);
  cilk_sync;
  unsigned char bytes[4];
  __builtin_memcpy(bytes, &flags, 4);
  return a + b + flags.odd + 2 * flags.big + 4 * set[1] + 8 * set[2] + 16 * set[0] + bytes[0] + bytes[1] + bytes[2] + bytes[3];
}

static bool even(long n);
static bool odd(long n) {
  if (n == 0)
    return false;
  bool below = cilk_spawn even(n - 1);
  cilk_sync;
  return below;
}
static bool even(long n) {
  if (n == 0)
    return true;
  bool below = cilk_spawn odd(n - 1);
  cilk_sync;
  return !!below;
}

int main(void) {
  Checksum sum = 0;
  for (long target = 1; target < 60; ++target)
    sum = fold(sum, reach(1, target, 9));
  for (long n = 0; n < 14; ++n)
    sum = fold(sum, count(n, n & 2));
  for (long n = 0; n < 40; ++n)
    sum = fold(sum, odd(n) + 2 * even(n));
  report("bools", sum);
  return 0;
}
