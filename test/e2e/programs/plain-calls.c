// Cilk functions called without spawn from Cilk functions: before, between and after spawns, nested, in conditions and
// returns, and in the arguments of a spawn.
#include "checksum.h"
#include <cilk/cilk.h>

static int leaf(int n) { return 3 * n + 1; }

static int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1);
  int y = fib(n - 2); // the usual form: the last child is called
  cilk_sync;
  return x + y;
}

static int before(int n) {
  if (n <= 0)
    return 1;
  int a = before(n - 1);
  int b = cilk_spawn leaf(a % 100);
  int c = cilk_spawn leaf(n);
  cilk_sync;
  return (a + b + c) % 10007;
}

static int between(int n) {
  int a, b, c;
  if (n <= 1)
    return 2;
  a = cilk_spawn between(n - 1);
  b = between(n - 2);
  c = cilk_spawn leaf(b % 100);
  cilk_sync;
  return (a + 2 * b + 3 * c) % 10007;
}

static int in_arguments(int n) {
  int a, b;
  if (n <= 1)
    return 1;
  a = cilk_spawn in_arguments(fib(n % 7) % n);
  b = cilk_spawn leaf(in_arguments(n - 2) + fib(in_arguments(n / 3) % 5));
  cilk_sync;
  return (a + b) % 10007;
}

static int nested(int n) {
  if (n <= 0)
    return 0;
  int a = cilk_spawn leaf(n);
  cilk_sync;
  return fib(fib(fib(n % 6) % 6) % 9) + nested(n - 1) + a;
}

static int in_conditions(int n) {
  int a = 0;
  if (fib(n) % 2 == 0 && before(n) % 3 != 1)
    a = cilk_spawn leaf(n);
  else if (fib(n + 1) > 5 || between(n) > 7)
    a = cilk_spawn fib(n);
  int b = fib(n) > 3 ? before(n) : between(n);
  for (int i = 0; i < fib(3 + n % 3); ++i)
    b += leaf(i);
  cilk_sync;
  return a + b;
}

static int only_calls(int n) { // without a spawn: an ordinary function that calls Cilk functions
  return n < 2 ? n : fib(n) + before(n);
}

static int calls_ordinary(int n) {
  int a = cilk_spawn only_calls(n);
  int b = only_calls(n - 1);
  cilk_sync;
  return a - b;
}

int main(void) {
  Checksum sum = 0;
  for (int n = 0; n < 13; ++n) {
    sum = fold(sum, (unsigned)fib(n));
    sum = fold(sum, (unsigned)before(n));
    sum = fold(sum, (unsigned)between(n));
    sum = fold(sum, (unsigned)in_arguments(n));
    sum = fold(sum, (unsigned)nested(n));
    sum = fold(sum, (unsigned)in_conditions(n));
    sum = fold(sum, (unsigned)calls_ordinary(n));
  }
  report("plain calls", sum);
  return 0;
}
