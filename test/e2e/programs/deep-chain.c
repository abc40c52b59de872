// A chain of tasks, each with one child and work after it. The argument is the length, by default 2000. Each level has
// a single element, and there are far more levels than a small channel has elements.
#include "checksum.h"
#include <cilk/cilk.h>
#include <stdlib.h>

static unsigned chain(int n, unsigned *cell) {
  unsigned mine = (unsigned)n;
  if (n == 0)
    return *cell + 1;
  unsigned below = cilk_spawn chain(n - 1, &mine);
  cilk_sync;
  return below * 3 + mine + *cell;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 2000;
  unsigned cell = 7;
  printf("%d levels: %u\n", n, chain(n, &cell));
  return 0;
}
