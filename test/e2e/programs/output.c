// Output from inside tasks with a fixed order: from one task at a time, or after the sync of all others.
#include "checksum.h"
#include <cilk/cilk.h>

static int count(int n) {
  if (n < 2)
    return 1;
  int x = cilk_spawn count(n - 1);
  int y = cilk_spawn count(n - 2);
  cilk_sync;
  return x + y;
}

static void stages(int n) {
  int total[3];
  printf("stage 1: %d\n", n);
  for (int i = 0; i < 3; ++i)
    total[i] = cilk_spawn count(n + i);
  cilk_sync;
  printf("stage 2: %d %d %d\n", total[0], total[1], total[2]);
  if (n > 0) {
    cilk_spawn stages(n - 1); // one at a time: waited for at once
    cilk_sync;
  }
  printf("stage 3: %d\n", n);
  fflush(stdout);
}

int main(void) {
  stages(9);
  puts("done");
  return 0;
}
