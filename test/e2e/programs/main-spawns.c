// A main that spawns and syncs itself, in loops and into locals, arrays and globals, between ordinary code.
#include "checksum.h"
#include <cilk/cilk.h>

static int global;

static int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1);
  int y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}

static int plain(int n) { return 5 * n - 1; }

static void add(long *cell, int n) { *cell += n; }

int main(int argc, char **argv) {
  (void)argv;
  int results[20];
  long cells[4] = {0, 0, 0, 0};
  int x = cilk_spawn fib(15);
  int y = cilk_spawn plain(argc);
  global = cilk_spawn fib(10);
  cilk_sync;
  printf("%d %d %d\n", x, y, global);
  for (int i = 0; i < 20; ++i)
    results[i] = cilk_spawn fib(i);
  cilk_sync;
  Checksum sum = 0;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 4; ++i)
      cilk_spawn add(&cells[i], results[i + round]);
    cilk_sync;
  }
  for (int i = 0; i < 20; ++i)
    sum = fold(sum, (unsigned)results[i]);
  for (int i = 0; i < 4; ++i)
    sum = fold(sum, (unsigned long)cells[i]);
  int z = 3;
  if (argc > 0)
    z = cilk_spawn fib(argc + 10);
  cilk_sync;
  report("main spawns", fold(sum, (unsigned)z));
  return (x + z) % 7;
}
