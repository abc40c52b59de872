// Tests that functions with ordered tasks or doacross nests may not use a reducer, since these do not run in serial order. The
// message says how the function may use one.
// RUN: not %cilk2gpu -O2 -DORDERED %s -o %t 2>&1 | FileCheck %s --check-prefix=ORDERED
// RUN: not %cilk2gpu -O2 -DORDERED -DUNKNOWN %s -o %t 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not %cilk2gpu -O2 -DORDERED -DPOINTER %s -o %t 2>&1 | FileCheck %s --check-prefix=POINTER
// RUN: not %cilk2gpu -O2 %s -o %t 2>&1 | FileCheck %s --check-prefix=NEST
#include <stddef.h>

void *__hyper_lookup(void *key, size_t size, void (*identity)(void *), void (*reduce)(void *, void *));
static void zero(void *view) { *(long *)view = 0; }
static void add(void *left, void *right) { *(long *)left += *(long *)right; }
long sum;

#ifdef ORDERED
static void count(long *x) { *(long *)__hyper_lookup(&sum, sizeof sum, zero, add) += *x; }
static void twice(long *x) { *x *= 2; }
void unknown(void);
void (*pointer)(void);
void elsewhere(void) { count(0); }
#if defined(UNKNOWN)
#define count twice
#define CALL unknown()
#elif defined(POINTER)
#define count twice
#define CALL pointer()
#else
#define CALL
#endif

int main(void) {
  long x = 3;
  CALL;
  // ORDERED: :[[#@LINE+7]]:3: error: ordered tasks have no place in the serial order of reducers, but 'main' calls 'count', which may
  // ORDERED-SAME: use a reducer; move them to a function that uses no reducer and calls none that may
  // ORDERED: {{^}}1 error generated.
  // UNKNOWN: error: ordered tasks have no place in the serial order of reducers, but 'main' calls 'unknown', which may use a reducer
  // POINTER: error: ordered tasks have no place in the serial order of reducers, but 'main' calls a function through a pointer, which
  // POINTER-SAME: may use a reducer
#pragma cilk depend(inout : x)
  cilk_spawn count(&x);
#pragma cilk depend(inout : x)
  cilk_spawn count(&x);
  cilk_sync;
}
#else
int main(void) {
  static long cells[40][40];
  // NEST: error: the iterations of a doacross nest have no place in the serial order of reducers, but 'main' uses a reducer;
#pragma cilk doacross(i - 1, j)(i, j - 1)
  cilk_for (int i = 1; i < 40; ++i)
    cilk_for (int j = 1; j < 40; ++j) {
      cells[i][j] = cells[i - 1][j] + cells[i][j - 1];
      *(long *)__hyper_lookup(&sum, sizeof sum, zero, add) += i;
    }
}
#endif
