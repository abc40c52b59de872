// Results that a later result replaces before any use: only the last result counts, in code that looks like a fold.
#include <stdio.h>
#include <stdlib.h>

// Only the last round's sum counts.
static int rounds(int n, int k) {
  if (n < 2)
    return n;
  int sum = 0;
  for (int i = 0; i < k; ++i) {
    int x = cilk_spawn rounds(n - 1, 2);
    int y = cilk_spawn rounds(n - 2, 3);
    cilk_sync;
    sum = x + y + i;
  }
  return sum;
}

// The base cases count step by step, and keep the last step.
static long steps(int n) {
  if (n < 4) {
    long a = 0, b = 1, s = n;
    for (int i = 1; i < n; ++i) {
      s = a + b;
      a = b;
      b = s;
    }
    return s;
  }
  long x = cilk_spawn steps(n - 1);
  long y = steps(n - 2);
  cilk_sync;
  return x + y;
}

// Returns the last entry of a table that is found, beside spawned results.
static unsigned found(int n, const unsigned *table) {
  if (n < 1)
    return 1;
  unsigned last = 0;
  unsigned x = cilk_spawn found(n - 1, table);
  for (int i = 0; i < n; ++i)
    if (table[i] % 3)
      last = table[i];
  unsigned y = cilk_spawn found(n - 2, table);
  cilk_sync;
  return x + y + last;
}

// The largest result of the last round that has one.
static int best(int n, int k) {
  int most = n;
  for (int i = 0; n > 0 && i < k; ++i) {
    int x = cilk_spawn best(n - 1 - i % 2, 2);
    int y = cilk_spawn best(n - 2, 1);
    cilk_sync;
    most = x > y ? x : y;
    most = most > n - i ? most : n - i;
  }
  return most;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 9;
  unsigned table[64];
  for (unsigned i = 0; i < 64; ++i)
    table[i] = i * 2654435761u >> 20;
  printf("%d %ld %u %d\n", rounds(n > 9 ? 9 : n, 3), steps(n + 6), found(n, table), best(n, 3));
}
