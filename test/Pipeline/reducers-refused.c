// Tests that an iteration of a doacross nest may not use a reducer, itself or by what it calls, since the tiles of a nest
// are not in serial order. The message names the way to the reducer, and what to write.
// RUN: not %cilk2gpu -O2 %s -o %t 2>&1 | FileCheck %s --check-prefix=NEST
// RUN: not %cilk2gpu -O2 -DCALL='count(&cells[i][j])' %s -o %t 2>&1 | FileCheck %s --check-prefix=CALLS
// RUN: not %cilk2gpu -O2 -DCALL='unknown()' %s -o %t 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not %cilk2gpu -O2 -DCALL='pointer()' %s -o %t 2>&1 | FileCheck %s --check-prefix=POINTER
// RUN: %cilk2gpu -O2 -DCALL='twice(&cells[i][j])' %s -c -o %t.o
#include <stddef.h>

void *__hyper_lookup(void *key, size_t size, void (*identity)(void *), void (*reduce)(void *, void *));
static void zero(void *view) { *(long *)view = 0; }
static void add(void *left, void *right) { *(long *)left += *(long *)right; }
long sum;
static void update(long x) { *(long *)__hyper_lookup(&sum, sizeof sum, zero, add) += x; }
static void count(long *x) { update(*x); }
static void twice(long *x) { *x *= 2; }
void unknown(void);
void (*pointer)(void);
#ifndef CALL
#define CALL *(long *)__hyper_lookup(&sum, sizeof sum, zero, add) += i
#endif

int main(void) {
  static long cells[40][40];
  update(1);
  pointer();
  // NEST: :[[#@LINE+10]]:3: error: the iterations of a doacross nest run in tiles, which are not in the serial order of reducers,
  // NEST-SAME: but an iteration uses a reducer; write the values to an array, and reduce them behind the nest
  // NEST: {{^}}1 error generated.
  // CALLS: error: the iterations of a doacross nest run in tiles, which are not in the serial order of reducers, but an iteration
  // CALLS-SAME: calls 'count', which may use a reducer; write
  // UNKNOWN: but an iteration calls 'unknown', which may use a reducer; write
  // POINTER: but an iteration calls a function through a pointer, which may use a reducer; write
  cilk_spawn count(&cells[0][0]);
  cilk_sync;
#pragma cilk doacross(i - 1, j)(i, j - 1)
  cilk_for (int i = 1; i < 40; ++i)
    cilk_for (int j = 1; j < 40; ++j) {
      cells[i][j] = cells[i - 1][j] + cells[i][j - 1];
      CALL;
    }
  update(2);
}
