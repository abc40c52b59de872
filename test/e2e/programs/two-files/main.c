// Cilk functions in two translation units that spawn and call each other's; static ones of the same name in both.
#include "../checksum.h"
#include "shared.h"
#include <cilk/cilk.h>

long shared_total;

static int helper(int n) { // the other file has another helper
  if (n < 2)
    return 1;
  int x = cilk_spawn helper(n - 1);
  int y = cilk_spawn plain_in_other_file(n);
  cilk_sync;
  return x + y;
}

long ping(int n, struct Range range) {
  if (n <= 0)
    return range.low - range.high + range.weight;
  struct Range mine = {range.low + 1, range.high, range.weight * 2 % 1009};
  long a = cilk_spawn pong(n - 1, &mine);
  long b = cilk_spawn pong(n - 2, &mine);
  int c = cilk_spawn helper(n % 6);
  cilk_sync;
  return (a * 3 + b + c) % 1000003;
}

int main(void) {
  Checksum sum = 0;
  for (int n = 0; n < 16; ++n)
    sum = fold(sum, (unsigned long)ping(n, (struct Range){n, 7, 3}));
  for (int n = 0; n < 10; ++n) {
    struct Range range = {1, 2, n};
    sum = fold(sum, (unsigned long)pong(n, &range));
  }
  report("two files", sum);
  printf("total %ld\n", shared_total);
  return 0;
}
