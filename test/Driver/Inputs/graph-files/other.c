#include <cilk/cilk.h>
long even(long n);
static long leaf(long n) { return n + 1; }
long odd(long n) {
  if (n < 2)
    return leaf(n);
  long a = cilk_spawn even(n - 1);
  long b = cilk_spawn leaf(n - 2);
  cilk_sync;
  return a ^ b;
}
