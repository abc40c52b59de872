// Tests that a reducer is refused beside ordered tasks and doacross nests, which do not run in serial order.
// RUN: not %cilk2gpu -O2 -DORDERED %s -o %t 2>&1 | FileCheck %s --check-prefix=ORDERED
// RUN: not %cilk2gpu -O2 %s -o %t 2>&1 | FileCheck %s --check-prefix=NEST
#include <stddef.h>

void *__hyper_lookup(void *key, size_t size, void (*identity)(void *), void (*reduce)(void *, void *));
static void zero(void *view) { *(long *)view = 0; }
static void add(void *left, void *right) { *(long *)left += *(long *)right; }
long sum;

#ifdef ORDERED
static void count(long *x) { *(long *)__hyper_lookup(&sum, sizeof sum, zero, add) += *x; }

int main(void) {
  long x = 3;
  // ORDERED: error: ordered tasks have no place in the serial order of reducers
#pragma cilk depend(inout : x)
  cilk_spawn count(&x);
#pragma cilk depend(inout : x)
  cilk_spawn count(&x);
  cilk_sync;
}
#else
int main(void) {
  static long cells[40][40];
  // NEST: error: the iterations of a doacross nest have no place in the serial order of reducers
#pragma cilk doacross(i - 1, j)(i, j - 1)
  cilk_for (int i = 1; i < 40; ++i)
    cilk_for (int j = 1; j < 40; ++j) {
      cells[i][j] = cells[i - 1][j] + cells[i][j - 1];
      *(long *)__hyper_lookup(&sum, sizeof sum, zero, add) += i;
    }
}
#endif
