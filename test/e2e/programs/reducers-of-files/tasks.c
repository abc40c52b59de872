// Tasks of a file without reducers. Their views are in serial order because the program has reducers.
#include "functions.h"
#include <cilk/cilk.h>

int walk(int n) {
  put('a' + n);
  if (n < 2)
    return 1;
  int x = cilk_spawn walk(n - 1);
  put('A' + n);
  int y = walk(n - 2);
  cilk_sync;
  put('.');
  return x + y;
}

void each(int n, void (*use)(int)) {
  cilk_for (int i = 0; i < n; ++i)
    use('0' + i);
}

static void step(int *cell, int n) {
  *cell += n;
  put('a' + n % 26);
}

void ordered(int n) {
  int cells[3] = {0};
  for (int i = 0; i < n; ++i) {
#pragma cilk depend(inout : cells[i % 3])
    cilk_spawn step(&cells[i % 3], i);
    put('-');
  }
  cilk_sync;
  put('0' + (cells[0] + cells[1]) % 10);
}
