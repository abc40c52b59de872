// Fills the start of a large block, and adds it up with tasks.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

static long sum(const long *from, long n) {
  if (n < 100) {
    long result = 0;
    for (long i = 0; i < n; ++i)
      result += from[i];
    return result;
  }
  long a = cilk_spawn sum(from, n / 2), b = sum(from + n / 2, n - n / 2);
  cilk_sync;
  return a + b;
}

int main(void) {
  long *block = malloc(1 << 20);
  for (long i = 0; i < 2000; ++i)
    block[i] = i;
  printf("%ld\n", sum(block, 2000));
  free(block);
  return 0;
}
