// Static functions and data: constant tables at file and function scope, strings, tables of structs and of pointers. Also mutable
// static state that one task at a time touches, counters that do not depend on threads, and inline helpers.
#include "checksum.h"
#include <cilk/cilk.h>

static const int primes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29};
static const char *const names[] = {"channel", "element", "wavefront", "lane", "aggregator"};
static int calls;

static inline int prime(unsigned n) { return primes[n % 10]; }

static int letters(const char *text) {
  int sum = 0;
  while (*text)
    sum = sum * 3 + *text++;
  return sum;
}

static int weigh(unsigned n) {
  static const struct {
    short factor;
    const char *name;
  } table[3] = {{3, "first"}, {-4, "second"}, {5, "third"}};
  static const unsigned char steps[2][4] = {{1, 2, 3, 4}, {9, 8, 7, 6}};
  if (n < 2)
    return letters(names[n]);
  int x = cilk_spawn weigh(n - 1);
  int y = cilk_spawn weigh(n / 2);
  int own = table[n % 3].factor * steps[n & 1][n % 4] + letters(table[(n + 1) % 3].name);
  cilk_sync;
  return (x + y * prime(n) + own) % 100003 + letters(names[n % 5]) % 100;
}

static int counted(int n) {
  static int last = 40;
  int before = last; // tasks of this function run one after another
  last = n;
  ++calls;
  if (n == 0)
    return before;
  int x = cilk_spawn counted(n - 1);
  cilk_sync;
  last += x;
  return before + last + calls;
}

int main(void) {
  Checksum sum = 0;
  for (unsigned n = 0; n < 30; ++n) {
    sum = fold(sum, (unsigned)weigh(n));
    sum = fold(sum, (unsigned)counted((int)n % 9));
  }
  report("static data", sum);
  printf("calls %d\n", calls);
  return 0;
}
