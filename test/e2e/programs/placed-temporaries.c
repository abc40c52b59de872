// Arrays in structs that functions return. They live until the end of the whole expression, and so as long as the
// child.
#include "checksum.h"

typedef struct {
  int values[6];
} Block;

static Block block(int n) {
  Block made = {{n, n + 1, n * 2, n * 3, n - 1, 7}};
  return made;
}

static long sum(const int *values, int n) {
  long total = 0;
  for (int i = 0; i < n; ++i)
    total = total * 5 + values[i];
  return total;
}

static long tree(const int *values, int n) {
  if (n < 2)
    return sum(values, 6);
  long a = cilk_spawn tree(block(n).values, n - 1);
  long b = cilk_spawn tree(block(values[2]).values, n - 2);
  long c = cilk_spawn sum(n % 2 ? block(n * 2).values : block(n + 5).values, 6);
  cilk_sync;
  return (a * 3 + b * 5 + c) % 1000000007;
}

int main(void) {
  report("tree", (Checksum)tree(block(3).values, 12));
  long sums[40];
  for (int i = 0; i < 40; ++i)
    sums[i] = cilk_spawn sum(block(i).values + 1, 5);
  cilk_sync;
  Checksum total = 0;
  for (int i = 0; i < 40; ++i)
    total = fold(total, (Checksum)sums[i]);
  report("loop", total);
  return 0;
}
