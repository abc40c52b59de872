// Reducers that one file defines, and that tasks of other files use: directly, by calls of ordinary functions, and
// through pointers. This file and tasks.c name no reducer.
#include "../checksum.h"
#include "functions.h"
#include <cilk/cilk.h>

static int both(int n) {
  int x = cilk_spawn walk(n);
  put('|');
  int y = cilk_spawn walk(n - 1);
  cilk_spawn put('+');
  cilk_sync;
  return x + y;
}

int main(void) {
  int a = cilk_spawn both(6);
  int b = cilk_spawn walk(4);
  cilk_spawn put('!');
  put('?');
  cilk_sync;
  show("spawned tasks");
  each(40, put);
  both(3);
  show("iterations");
  cilk_spawn ordered(12);
  ordered(5);
  cilk_sync;
  show("ordered tasks");
  for (int i = 0; i < 200; ++i)
    walk(i % 4);
  show("short calls");
  printf("%d %d\n", a, b);
  return 0;
}
